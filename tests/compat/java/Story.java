import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Short stories with Apache Kafka's Java client, one per name; each prints `done` when everything held. */
public class Story {
    static String address;
    static String topic;

    public static void main(String[] words) throws Exception {
        address = words[1];
        topic = words[2];
        switch (words[0]) {
            case "codecs" -> codecs();
            case "admin" -> admin();
            case "transactions" -> transactions();
            case "fencing" -> fencing();
            case "time-out" -> timeOut();
            case "transaction-version" -> transactionVersion(Short.parseShort(words[3]));
            default -> throw new IllegalArgumentException(words[0]);
        }
        System.out.println("done");
    }

    static void check(boolean holds, Object what) {
        if (!holds) throw new AssertionError("does not hold: " + what);
    }

    static void codecs() throws Exception {
        try (var admin = newAdmin()) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        }
        int expected = 0;
        for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
            try (var producer = newProducer(Map.of("compression.type", codec))) {
                for (int number = 0; number < 200; number++) {
                    var record = new ProducerRecord<>(topic, 0, "k" + number, codec + " " + "x".repeat(50));
                    record.headers().add("h", codec.getBytes());
                    producer.send(record);
                }
            }
            expected += 200;
        }
        List<ConsumerRecord<String, String>> found = read("read_uncommitted");
        check(found.size() == expected, found.size());
        check(IntStream.range(0, expected).allMatch(index -> found.get(index).offset() == index), "offsets in order");
        for (var record : found)
            check(record.value().startsWith(new String(record.headers().lastHeader("h").value())), record);
    }

    static void admin() throws Exception {
        try (var admin = newAdmin()) {
            var wanted = new NewTopic(topic, 2, (short) 1).configs(Map.of("retention.ms", "60000"));
            admin.createTopics(List.of(wanted)).all().get();
            try {
                admin.createTopics(List.of(wanted)).all().get();
                check(false, "a topic is created once");
            } catch (ExecutionException refused) {
                check(refused.getCause() instanceof TopicExistsException, refused);
            }
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(3))).all().get();
            var described = admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
            check(described.partitions().size() == 3, described);
            check(described.topicId().getMostSignificantBits() != 0, "a topic id");
            var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
            var change = new AlterConfigOp(new ConfigEntry("segment.ms", "9000000"), AlterConfigOp.OpType.SET);
            admin.incrementalAlterConfigs(Map.of(resource, List.of(change))).all().get();
            var config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
            check(config.get("segment.ms").value().equals("9000000"), config);
            check(config.get("retention.ms").value().equals("60000"), config);
            deleteRecords(admin);
            check(admin.describeCluster().nodes().get().size() == 1, "one node");
            check(admin.describeFeatures().featureMetadata().get().finalizedFeatures().containsKey("metadata.version"), "features");
            check(!admin.describeLogDirs(List.of(1)).allDescriptions().get().isEmpty(), "log directories");
            check(admin.describeMetadataQuorum().quorumInfo().get().leaderId() == 1, "the quorum");
            admin.deleteTopics(List.of(topic)).all().get();
            check(!admin.listTopics().names().get().contains(topic), "deleted");
        }
    }

    static void deleteRecords(Admin admin) throws Exception {
        var place = new TopicPartition(topic, 0);
        try (var producer = newProducer(Map.of())) {
            for (int number = 0; number < 10; number++) producer.send(new ProducerRecord<>(topic, 0, null, "v"));
        }
        admin.deleteRecords(Map.of(place, RecordsToDelete.beforeOffset(4))).all().get();
        var first = admin.listOffsets(Map.of(place, OffsetSpec.earliest())).partitionResult(place).get();
        var last = admin.listOffsets(Map.of(place, OffsetSpec.latest())).partitionResult(place).get();
        check(first.offset() == 4 && last.offset() == 10, first + " " + last);
    }

    /** Every second transaction is aborted. */
    static void transactions() throws Exception {
        createTopic();
        try (var producer = newTransactional(60_000)) {
            for (int number = 0; number < 6; number++) {
                producer.beginTransaction();
                producer.send(new ProducerRecord<>(topic, 0, null, "" + number));
                producer.flush();
                if (number % 2 == 0) producer.commitTransaction();
                else producer.abortTransaction();
            }
        }
        check(values("read_committed").equals(List.of("0", "2", "4")), values("read_committed"));
        check(values("read_uncommitted").size() == 6, "all six for those who want them");
        try (var admin = newAdmin()) {
            var state = admin.describeTransactions(List.of("id-" + topic)).description("id-" + topic).get();
            check(state.state().toString().equals("CompleteAbort"), state);
            check(admin.listTransactions().all().get().stream().anyMatch(each -> each.transactionalId().equals("id-" + topic)), "listed");
        }
    }

    static void fencing() throws Exception {
        createTopic();
        var older = newTransactional(60_000);
        older.beginTransaction();
        older.send(new ProducerRecord<>(topic, 0, null, "older")).get();
        try (var newer = newTransactional(60_000)) {
            try {
                older.send(new ProducerRecord<>(topic, 0, null, "too late"));
                older.commitTransaction();
                check(false, "the older producer is fenced");
            } catch (KafkaException fenced) {
                older.close(Duration.ZERO);
            }
            newer.beginTransaction();
            newer.send(new ProducerRecord<>(topic, 0, null, "newer"));
            newer.commitTransaction();
        }
        check(values("read_committed").equals(List.of("newer")), values("read_committed"));
    }

    /** A transaction that nobody ends holds readers back until its time is over; its producer then starts anew. */
    static void timeOut() throws Exception {
        createTopic();
        try (var slow = newTransactional(5_000); var plain = newProducer(Map.of())) {
            slow.beginTransaction();
            slow.send(new ProducerRecord<>(topic, 0, null, "abandoned")).get();
            plain.send(new ProducerRecord<>(topic, 0, null, "plain")).get();
            try (var admin = newAdmin()) {
                awaitState(admin, "CompleteAbort");
            }
            check(values("read_committed").equals(List.of("plain")), values("read_committed"));
            try {
                slow.commitTransaction();
                check(false, "a transaction that timed out cannot be committed");
            } catch (KafkaException late) {
                slow.close(Duration.ZERO);
            }
        }
        try (var again = newTransactional(60_000)) {
            again.beginTransaction();
            again.send(new ProducerRecord<>(topic, 0, null, "again"));
            again.commitTransaction();
        }
        check(values("read_committed").equals(List.of("plain", "again")), values("read_committed"));
    }

    static void awaitState(Admin admin, String wanted) throws Exception {
        long deadline = System.nanoTime() + 40_000_000_000L;
        String id = "id-" + topic;
        while (!admin.describeTransactions(List.of(id)).description(id).get().state().toString().equals(wanted)) {
            check(System.nanoTime() < deadline, wanted + " in time");
            // The client has no way to be told: this is how often it asks.
            Thread.sleep(50);
        }
    }

    static void transactionVersion(short level) throws Exception {
        try (var admin = newAdmin()) {
            var type = FeatureUpdate.UpgradeType.SAFE_DOWNGRADE;
            var current = admin.describeFeatures().featureMetadata().get().finalizedFeatures().get("transaction.version");
            if (current == null || current.maxVersionLevel() < level) type = FeatureUpdate.UpgradeType.UPGRADE;
            admin.updateFeatures(Map.of("transaction.version", new FeatureUpdate(level, type)), new UpdateFeaturesOptions()).all().get();
        }
    }

    static void createTopic() throws Exception {
        try (var admin = newAdmin()) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        }
    }

    static Admin newAdmin() {
        return Admin.create(Map.<String, Object>of("bootstrap.servers", address));
    }

    static KafkaProducer<String, String> newProducer(Map<String, String> more) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", address);
        settings.putAll(more);
        return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    }

    static KafkaProducer<String, String> newTransactional(int timeoutMs) {
        var producer = newProducer(Map.of("transactional.id", "id-" + topic, "transaction.timeout.ms", "" + timeoutMs));
        producer.initTransactions();
        return producer;
    }

    static List<String> values(String isolationLevel) {
        return read(isolationLevel).stream().map(ConsumerRecord::value).collect(Collectors.toList());
    }

    /** All that this reader may see now. */
    static List<ConsumerRecord<String, String>> read(String isolationLevel) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", address);
        settings.put("isolation.level", isolationLevel);
        var found = new java.util.ArrayList<ConsumerRecord<String, String>>();
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            var place = new TopicPartition(topic, 0);
            consumer.assign(Set.of(place));
            consumer.seekToBeginning(Set.of(place));
            long end = consumer.endOffsets(Set.of(place)).get(place);
            while (consumer.position(place) < end)
                for (var record : consumer.poll(Duration.ofMillis(200))) found.add(record);
        }
        return found;
    }
}
