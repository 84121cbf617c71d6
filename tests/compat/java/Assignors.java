import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Scanner;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.consumer.RoundRobinAssignor;
import org.apache.kafka.clients.consumer.StickyAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * Runs Kafka's own assignors. Input, one word list per line: `case ASSIGNOR`, `partition TOPIC INDEX RACK,RACK` (a rack
 * per replica, - for none), `member ID INSTANCE RACK GENERATION TOPICS OWNED` (- for nothing), `end`. Output: a line
 * `ID TOPIC:INDEX TOPIC:INDEX` per member, and `end` per case.
 */
public class Assignors {
    public static void main(String[] words) {
        var input = new Scanner(System.in);
        while (input.hasNextLine()) {
            String name = input.nextLine().split(" ")[1];
            System.out.print(run(assignor(name), input));
        }
    }

    static ConsumerPartitionAssignor assignor(String name) {
        return switch (name) {
            case "range" -> new RangeAssignor();
            case "roundrobin" -> new RoundRobinAssignor();
            case "sticky" -> new StickyAssignor();
            default -> new CooperativeStickyAssignor();
        };
    }

    static String run(ConsumerPartitionAssignor assignor, Scanner input) {
        var nodes = new LinkedHashMap<String, Node>();
        var partitions = new ArrayList<PartitionInfo>();
        var members = new HashMap<String, Subscription>();
        for (String line = input.nextLine(); !line.equals("end"); line = input.nextLine()) {
            String[] words = line.split(" ");
            if (words[0].equals("partition")) {
                var replicas = new ArrayList<Node>();
                for (String rack : words[3].split(","))
                    replicas.add(nodes.computeIfAbsent(rack, each -> node(nodes.size(), each)));
                Node[] all = replicas.toArray(new Node[0]);
                partitions.add(new PartitionInfo(words[1], Integer.parseInt(words[2]), all[0], all, all));
            } else {
                members.put(words[1], member(assignor, words));
            }
        }
        var cluster = new Cluster("c", nodes.values(), partitions, Set.of(), Set.of());
        var assigned = new TreeMap<>(assignor.assign(cluster, new GroupSubscription(members)).groupAssignment());
        var text = new StringBuilder();
        for (Map.Entry<String, Assignment> each : assigned.entrySet()) {
            text.append(each.getKey());
            for (TopicPartition mine : each.getValue().partitions())
                text.append(" ").append(mine.topic()).append(":").append(mine.partition());
            text.append("\n");
        }
        return text.append("end\n").toString();
    }

    static Node node(int id, String rack) {
        return new Node(id, "localhost", 9092, rack.equals("-") ? null : rack);
    }

    static Subscription member(ConsumerPartitionAssignor assignor, String[] words) {
        var topics = list(words[5]);
        var owned = new ArrayList<TopicPartition>();
        for (String each : list(words[6])) {
            String[] pair = each.split(":");
            owned.add(new TopicPartition(pair[0], Integer.parseInt(pair[1])));
        }
        int generation = Integer.parseInt(words[4]);
        // What a member remembers of its last assignment travels in bytes that the assignor itself writes.
        var before = new ConsumerGroupMetadata("g", generation, words[1], Optional.empty());
        if (generation >= 0) assignor.onAssignment(new Assignment(owned), before);
        var bytes = generation >= 0 ? assignor.subscriptionUserData(Set.copyOf(topics)) : null;
        Optional<String> rack = words[3].equals("-") ? Optional.empty() : Optional.of(words[3]);
        var subscription = new Subscription(topics, bytes, owned, generation, rack);
        if (!words[2].equals("-")) subscription.setGroupInstanceId(Optional.of(words[2]));
        return subscription;
    }

    static List<String> list(String word) {
        return word.equals("-") ? Collections.emptyList() : List.of(word.split(","));
    }
}
