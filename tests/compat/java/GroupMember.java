import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.StringDeserializer;

/** One member of a consumer group; tells the same lines as tests/compat/programs/group_member.py. */
public class GroupMember {
    static volatile boolean hasEnded = false;

    public static void main(String[] words) throws Exception {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", words[1]);
        settings.put("group.id", words[2]);
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", "false");
        settings.put("metadata.max.age.ms", "500");
        settings.put("max.poll.records", "50");
        if (words.length > 5) settings.put("group.instance.id", words[5]);
        if (words[0].equals("java-consumer")) {
            settings.put("group.protocol", "consumer");
        } else {
            settings.put("session.timeout.ms", words[4]);
            settings.put("heartbeat.interval.ms", "300");
            String assignor = words[0].equals("java-cooperative") ? "CooperativeSticky" : "Range";
            settings.put("partition.assignment.strategy", "org.apache.kafka.clients.consumer." + assignor + "Assignor");
        }
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            hasEnded = true;
            try {
                closed.await();
            } catch (InterruptedException gone) {
                Thread.currentThread().interrupt();
            }
        }));
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            subscribe(consumer, words[3], words[0].equals("java-consumer"));
            consume(consumer);
        } finally {
            closed.countDown();
        }
    }

    static void subscribe(KafkaConsumer<String, String> consumer, String topic, boolean brokerMatches) {
        var listener = new ConsumerRebalanceListener() {
            public void onPartitionsRevoked(Collection<TopicPartition> places) {
                tell("revoked", places);
            }

            public void onPartitionsAssigned(Collection<TopicPartition> places) {}
        };
        if (topic.startsWith("^") && brokerMatches) consumer.subscribe(new SubscriptionPattern(topic), listener);
        else if (topic.startsWith("^")) consumer.subscribe(Pattern.compile(topic), listener);
        else consumer.subscribe(List.of(topic), listener);
    }

    static void consume(KafkaConsumer<String, String> consumer) {
        Collection<TopicPartition> owned = null;
        while (!hasEnded) {
            var records = consumer.poll(Duration.ofMillis(50));
            if (!consumer.assignment().equals(owned)) {
                owned = consumer.assignment();
                tell("owns", owned);
            }
            for (var record : records)
                System.out.println("read " + record.topic() + " " + record.partition() + " " + record.offset() + " " + record.value());
            if (records.isEmpty()) continue;
            Map<TopicPartition, OffsetAndMetadata> offsets = records.nextOffsets();
            try {
                consumer.commitSync(offsets);
            } catch (WakeupException gone) {
                throw gone;
            } catch (KafkaException refused) {
                continue;
            }
            offsets.forEach((place, offset) ->
                System.out.println("committed " + place.topic() + " " + place.partition() + " " + offset.offset()));
        }
    }

    static void tell(String word, Collection<TopicPartition> places) {
        var sorted = new TreeSet<String>(places.stream().map(TopicPartition::toString).collect(Collectors.toList()));
        System.out.println((word + " " + String.join(" ", sorted)).strip());
    }
}
