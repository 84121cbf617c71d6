import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Copies one topic to another, exactly once; the twin of tests/compat/programs/copier.py. */
public class Copier {
    public static void main(String[] words) {
        String address = words[1], source = words[2], target = words[3], name = words[4];
        try (var producer = producer(address, name)) {
            producer.initTransactions();
            try (var consumer = consumer(address, name)) {
                consumer.subscribe(List.of(source));
                while (true) copySome(consumer, producer, target);
            }
        } catch (RuntimeException error) {
            error.printStackTrace();
            // Like a crash: nothing is closed, the next process cleans up.
            Runtime.getRuntime().halt(1);
        }
    }

    static void copySome(
            KafkaConsumer<String, String> consumer, KafkaProducer<String, String> producer, String target) {
        var records = consumer.poll(Duration.ofMillis(200));
        if (records.isEmpty()) return;
        producer.beginTransaction();
        for (var record : records)
            producer.send(new ProducerRecord<>(target, record.partition(), null, record.value()));
        producer.sendOffsetsToTransaction(records.nextOffsets(), consumer.groupMetadata());
        producer.commitTransaction();
        System.out.println("copied " + records.count());
    }

    static KafkaProducer<String, String> producer(String address, String name) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", address);
        settings.put("transactional.id", name);
        settings.put("transaction.timeout.ms", "10000");
        return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    }

    static KafkaConsumer<String, String> consumer(String address, String name) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", address);
        settings.put("group.id", name);
        settings.put("group.instance.id", name);
        settings.put("session.timeout.ms", "6000");
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", "false");
        settings.put("isolation.level", "read_committed");
        settings.put("max.poll.records", "20");
        return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
    }
}
