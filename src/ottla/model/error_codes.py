"""Kafka's error codes, one row each. A code is a value in responses; see `ottla.model.errors` for exceptions."""

from enum import IntEnum


class ErrorCode(IntEnum):
    """Kafka's error codes, by Kafka's names. A client's error has one as `.code`, or None.

    >>> ErrorCode(3)
    <ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: 3>
    >>> ClientError.code is None, TimedOut.code is ErrorCode.REQUEST_TIMED_OUT
    (True, True)
    """

    UNKNOWN_SERVER_ERROR = -1
    NONE = 0
    OFFSET_OUT_OF_RANGE = 1
    CORRUPT_MESSAGE = 2
    UNKNOWN_TOPIC_OR_PARTITION = 3
    INVALID_FETCH_SIZE = 4
    LEADER_NOT_AVAILABLE = 5
    NOT_LEADER_OR_FOLLOWER = 6
    REQUEST_TIMED_OUT = 7
    BROKER_NOT_AVAILABLE = 8
    REPLICA_NOT_AVAILABLE = 9
    MESSAGE_TOO_LARGE = 10
    STALE_CONTROLLER_EPOCH = 11
    OFFSET_METADATA_TOO_LARGE = 12
    NETWORK_EXCEPTION = 13
    COORDINATOR_LOAD_IN_PROGRESS = 14
    COORDINATOR_NOT_AVAILABLE = 15
    NOT_COORDINATOR = 16
    INVALID_TOPIC_EXCEPTION = 17
    RECORD_LIST_TOO_LARGE = 18
    NOT_ENOUGH_REPLICAS = 19
    NOT_ENOUGH_REPLICAS_AFTER_APPEND = 20
    INVALID_REQUIRED_ACKS = 21
    ILLEGAL_GENERATION = 22
    INCONSISTENT_GROUP_PROTOCOL = 23
    INVALID_GROUP_ID = 24
    UNKNOWN_MEMBER_ID = 25
    INVALID_SESSION_TIMEOUT = 26
    REBALANCE_IN_PROGRESS = 27
    INVALID_COMMIT_OFFSET_SIZE = 28
    TOPIC_AUTHORIZATION_FAILED = 29
    GROUP_AUTHORIZATION_FAILED = 30
    CLUSTER_AUTHORIZATION_FAILED = 31
    INVALID_TIMESTAMP = 32
    UNSUPPORTED_SASL_MECHANISM = 33
    ILLEGAL_SASL_STATE = 34
    UNSUPPORTED_VERSION = 35
    TOPIC_ALREADY_EXISTS = 36
    INVALID_PARTITIONS = 37
    INVALID_REPLICATION_FACTOR = 38
    INVALID_REPLICA_ASSIGNMENT = 39
    INVALID_CONFIG = 40
    NOT_CONTROLLER = 41
    INVALID_REQUEST = 42
    UNSUPPORTED_FOR_MESSAGE_FORMAT = 43
    POLICY_VIOLATION = 44
    OUT_OF_ORDER_SEQUENCE_NUMBER = 45
    DUPLICATE_SEQUENCE_NUMBER = 46
    INVALID_PRODUCER_EPOCH = 47
    INVALID_TXN_STATE = 48
    INVALID_PRODUCER_ID_MAPPING = 49
    INVALID_TRANSACTION_TIMEOUT = 50
    CONCURRENT_TRANSACTIONS = 51
    TRANSACTION_COORDINATOR_FENCED = 52
    TRANSACTIONAL_ID_AUTHORIZATION_FAILED = 53
    SECURITY_DISABLED = 54
    OPERATION_NOT_ATTEMPTED = 55
    KAFKA_STORAGE_ERROR = 56
    LOG_DIR_NOT_FOUND = 57
    SASL_AUTHENTICATION_FAILED = 58
    UNKNOWN_PRODUCER_ID = 59
    REASSIGNMENT_IN_PROGRESS = 60
    DELEGATION_TOKEN_AUTH_DISABLED = 61
    DELEGATION_TOKEN_NOT_FOUND = 62
    DELEGATION_TOKEN_OWNER_MISMATCH = 63
    DELEGATION_TOKEN_REQUEST_NOT_ALLOWED = 64
    DELEGATION_TOKEN_AUTHORIZATION_FAILED = 65
    DELEGATION_TOKEN_EXPIRED = 66
    INVALID_PRINCIPAL_TYPE = 67
    NON_EMPTY_GROUP = 68
    GROUP_ID_NOT_FOUND = 69
    FETCH_SESSION_ID_NOT_FOUND = 70
    INVALID_FETCH_SESSION_EPOCH = 71
    LISTENER_NOT_FOUND = 72
    TOPIC_DELETION_DISABLED = 73
    FENCED_LEADER_EPOCH = 74
    UNKNOWN_LEADER_EPOCH = 75
    UNSUPPORTED_COMPRESSION_TYPE = 76
    STALE_BROKER_EPOCH = 77
    OFFSET_NOT_AVAILABLE = 78
    MEMBER_ID_REQUIRED = 79
    PREFERRED_LEADER_NOT_AVAILABLE = 80
    GROUP_MAX_SIZE_REACHED = 81
    FENCED_INSTANCE_ID = 82
    ELIGIBLE_LEADERS_NOT_AVAILABLE = 83
    ELECTION_NOT_NEEDED = 84
    NO_REASSIGNMENT_IN_PROGRESS = 85
    GROUP_SUBSCRIBED_TO_TOPIC = 86
    INVALID_RECORD = 87
    UNSTABLE_OFFSET_COMMIT = 88
    THROTTLING_QUOTA_EXCEEDED = 89
    PRODUCER_FENCED = 90
    RESOURCE_NOT_FOUND = 91
    DUPLICATE_RESOURCE = 92
    UNACCEPTABLE_CREDENTIAL = 93
    INCONSISTENT_VOTER_SET = 94
    INVALID_UPDATE_VERSION = 95
    FEATURE_UPDATE_FAILED = 96
    PRINCIPAL_DESERIALIZATION_FAILURE = 97
    SNAPSHOT_NOT_FOUND = 98
    POSITION_OUT_OF_RANGE = 99
    UNKNOWN_TOPIC_ID = 100
    DUPLICATE_BROKER_REGISTRATION = 101
    BROKER_ID_NOT_REGISTERED = 102
    INCONSISTENT_TOPIC_ID = 103
    INCONSISTENT_CLUSTER_ID = 104
    TRANSACTIONAL_ID_NOT_FOUND = 105
    FETCH_SESSION_TOPIC_ID_ERROR = 106
    INELIGIBLE_REPLICA = 107
    NEW_LEADER_ELECTED = 108
    OFFSET_MOVED_TO_TIERED_STORAGE = 109
    FENCED_MEMBER_EPOCH = 110
    UNRELEASED_INSTANCE_ID = 111
    UNSUPPORTED_ASSIGNOR = 112
    STALE_MEMBER_EPOCH = 113
    MISMATCHED_ENDPOINT_TYPE = 114
    UNSUPPORTED_ENDPOINT_TYPE = 115
    UNKNOWN_CONTROLLER_ID = 116
    UNKNOWN_SUBSCRIPTION_ID = 117
    TELEMETRY_TOO_LARGE = 118
    INVALID_REGISTRATION = 119
    TRANSACTION_ABORTABLE = 120
    INVALID_RECORD_STATE = 121
    SHARE_SESSION_NOT_FOUND = 122
    INVALID_SHARE_SESSION_EPOCH = 123
    FENCED_STATE_EPOCH = 124
    INVALID_VOTER_KEY = 125
    DUPLICATE_VOTER = 126
    VOTER_NOT_FOUND = 127
    INVALID_REGULAR_EXPRESSION = 128
    REBOOTSTRAP_REQUIRED = 129
    STREAMS_INVALID_TOPOLOGY = 130
    STREAMS_INVALID_TOPOLOGY_EPOCH = 131
    STREAMS_TOPOLOGY_FENCED = 132
    SHARE_SESSION_LIMIT_REACHED = 133


#: Codes after which the same request may succeed if it is sent again.
RETRIABLE: frozenset[ErrorCode] = frozenset(
    {
        ErrorCode.CORRUPT_MESSAGE,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.LEADER_NOT_AVAILABLE,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.REQUEST_TIMED_OUT,
        ErrorCode.REPLICA_NOT_AVAILABLE,
        ErrorCode.NETWORK_EXCEPTION,
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.NOT_COORDINATOR,
        ErrorCode.NOT_ENOUGH_REPLICAS,
        ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
        ErrorCode.NOT_CONTROLLER,
        ErrorCode.CONCURRENT_TRANSACTIONS,
        ErrorCode.KAFKA_STORAGE_ERROR,
        ErrorCode.FETCH_SESSION_ID_NOT_FOUND,
        ErrorCode.INVALID_FETCH_SESSION_EPOCH,
        ErrorCode.LISTENER_NOT_FOUND,
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.UNKNOWN_LEADER_EPOCH,
        ErrorCode.OFFSET_NOT_AVAILABLE,
        ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE,
        ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE,
        ErrorCode.ELECTION_NOT_NEEDED,
        ErrorCode.UNSTABLE_OFFSET_COMMIT,
        ErrorCode.THROTTLING_QUOTA_EXCEEDED,
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.INCONSISTENT_TOPIC_ID,
        ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR,
        ErrorCode.SHARE_SESSION_NOT_FOUND,
        ErrorCode.INVALID_SHARE_SESSION_EPOCH,
        ErrorCode.SHARE_SESSION_LIMIT_REACHED,
    }
)

#: Codes that make a client refresh its metadata before it retries.
STALE_METADATA: frozenset[ErrorCode] = frozenset(
    {
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.LEADER_NOT_AVAILABLE,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.REPLICA_NOT_AVAILABLE,
        ErrorCode.NETWORK_EXCEPTION,
        ErrorCode.KAFKA_STORAGE_ERROR,
        ErrorCode.LISTENER_NOT_FOUND,
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE,
        ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE,
        ErrorCode.ELECTION_NOT_NEEDED,
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.INCONSISTENT_TOPIC_ID,
    }
)

#: What each code means, for people: error messages of responses, the command line and the console use these.
TEXTS: dict[ErrorCode, str] = {
    ErrorCode.UNKNOWN_SERVER_ERROR: "Something unexpected went wrong on the server; its log says what.",
    ErrorCode.NONE: "No error.",
    ErrorCode.OFFSET_OUT_OF_RANGE: "The offset is below the start or beyond the end of the partition's log.",
    ErrorCode.CORRUPT_MESSAGE: "The record batch is damaged: its checksum or its structure is wrong.",
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: "This broker does not know the topic or partition.",
    ErrorCode.INVALID_FETCH_SIZE: "The fetch size is not allowed.",
    ErrorCode.LEADER_NOT_AVAILABLE: "The partition has no leader right now; an election may be under way.",
    ErrorCode.NOT_LEADER_OR_FOLLOWER: "This broker is not the leader or not a replica of the partition.",
    ErrorCode.REQUEST_TIMED_OUT: "The request was not finished within its time.",
    ErrorCode.BROKER_NOT_AVAILABLE: "The broker is not available.",
    ErrorCode.REPLICA_NOT_AVAILABLE: "The replica of the partition is not available on this broker.",
    ErrorCode.MESSAGE_TOO_LARGE: "The record batch is larger than the topic allows.",
    ErrorCode.STALE_CONTROLLER_EPOCH: "The request comes from a controller that has been replaced.",
    ErrorCode.OFFSET_METADATA_TOO_LARGE: "The metadata text of the committed offset is longer than allowed.",
    ErrorCode.NETWORK_EXCEPTION: "The connection broke before the response arrived.",
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS: "The coordinator is still loading its state.",
    ErrorCode.COORDINATOR_NOT_AVAILABLE: "There is no coordinator for this key at the moment.",
    ErrorCode.NOT_COORDINATOR: "This broker is not the coordinator for this key.",
    ErrorCode.INVALID_TOPIC_EXCEPTION: "The topic's name is not allowed, or the topic must not be used this way.",
    ErrorCode.RECORD_LIST_TOO_LARGE: "The record batch is larger than a log segment.",
    ErrorCode.NOT_ENOUGH_REPLICAS: "Fewer replicas are in sync than the topic demands; nothing was written.",
    ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND: "The records were written, but then too few replicas were in sync.",
    ErrorCode.INVALID_REQUIRED_ACKS: "acks must be -1, 0 or 1.",
    ErrorCode.ILLEGAL_GENERATION: "The generation of the group has moved on.",
    ErrorCode.INCONSISTENT_GROUP_PROTOCOL: "The member shares no protocol with the rest of the group.",
    ErrorCode.INVALID_GROUP_ID: "The group id is not allowed.",
    ErrorCode.UNKNOWN_MEMBER_ID: "The group has no member with this id.",
    ErrorCode.INVALID_SESSION_TIMEOUT: "The session timeout is outside the range that the broker allows.",
    ErrorCode.REBALANCE_IN_PROGRESS: "The group is rebalancing; the member must join again.",
    ErrorCode.INVALID_COMMIT_OFFSET_SIZE: "The commit is too large to be stored.",
    ErrorCode.TOPIC_AUTHORIZATION_FAILED: "Not allowed on this topic.",
    ErrorCode.GROUP_AUTHORIZATION_FAILED: "Not allowed on this group.",
    ErrorCode.CLUSTER_AUTHORIZATION_FAILED: "Not allowed on the cluster.",
    ErrorCode.INVALID_TIMESTAMP: "A record's timestamp is outside the range that the topic allows.",
    ErrorCode.UNSUPPORTED_SASL_MECHANISM: "The broker does not offer this SASL mechanism.",
    ErrorCode.ILLEGAL_SASL_STATE: "The request does not fit into this stage of the log-in.",
    ErrorCode.UNSUPPORTED_VERSION: "The broker does not speak this version of the API.",
    ErrorCode.TOPIC_ALREADY_EXISTS: "A topic with this name exists.",
    ErrorCode.INVALID_PARTITIONS: "The number of partitions is not allowed.",
    ErrorCode.INVALID_REPLICATION_FACTOR: "The replication factor is below 1 or above the number of usable brokers.",
    ErrorCode.INVALID_REPLICA_ASSIGNMENT: "The assignment of replicas to brokers makes no sense.",
    ErrorCode.INVALID_CONFIG: "A config key or its value is not allowed.",
    ErrorCode.NOT_CONTROLLER: "This node is not the active controller.",
    ErrorCode.INVALID_REQUEST: "The request contradicts itself or lacks something.",
    ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT: "The message format of the topic cannot do this.",
    ErrorCode.POLICY_VIOLATION: "A policy of the cluster forbids this.",
    ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER: "The producer's sequence number is not the next one expected.",
    ErrorCode.DUPLICATE_SEQUENCE_NUMBER: "The producer's sequence number was seen before.",
    ErrorCode.INVALID_PRODUCER_EPOCH: "A producer with a newer epoch has taken over.",
    ErrorCode.INVALID_TXN_STATE: "The transaction is in a state in which this cannot be done.",
    ErrorCode.INVALID_PRODUCER_ID_MAPPING: "The producer id does not belong to this transactional id.",
    ErrorCode.INVALID_TRANSACTION_TIMEOUT: "The transaction timeout is not positive or longer than the broker allows.",
    ErrorCode.CONCURRENT_TRANSACTIONS: "The previous transaction of this producer is still being completed.",
    ErrorCode.TRANSACTION_COORDINATOR_FENCED: "A newer transaction coordinator has taken over.",
    ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED: "Not allowed with this transactional id.",
    ErrorCode.SECURITY_DISABLED: "Security features are switched off.",
    ErrorCode.OPERATION_NOT_ATTEMPTED: "Not tried, because another part of the request failed.",
    ErrorCode.KAFKA_STORAGE_ERROR: "The disk failed while the log was read or written.",
    ErrorCode.LOG_DIR_NOT_FOUND: "The broker has no such log directory.",
    ErrorCode.SASL_AUTHENTICATION_FAILED: "The log-in failed.",
    ErrorCode.UNKNOWN_PRODUCER_ID: "The broker knows nothing about this producer id.",
    ErrorCode.REASSIGNMENT_IN_PROGRESS: "The partition is being reassigned.",
    ErrorCode.DELEGATION_TOKEN_AUTH_DISABLED: "Delegation tokens are switched off.",
    ErrorCode.DELEGATION_TOKEN_NOT_FOUND: "There is no such delegation token.",
    ErrorCode.DELEGATION_TOKEN_OWNER_MISMATCH: "The delegation token belongs to somebody else.",
    ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED: "Delegation tokens cannot be managed over this kind of connection.",
    ErrorCode.DELEGATION_TOKEN_AUTHORIZATION_FAILED: "Not allowed with this delegation token.",
    ErrorCode.DELEGATION_TOKEN_EXPIRED: "The delegation token has expired.",
    ErrorCode.INVALID_PRINCIPAL_TYPE: "This type of principal is not supported.",
    ErrorCode.NON_EMPTY_GROUP: "The group still has members.",
    ErrorCode.GROUP_ID_NOT_FOUND: "There is no such group.",
    ErrorCode.FETCH_SESSION_ID_NOT_FOUND: "The broker has dropped the fetch session.",
    ErrorCode.INVALID_FETCH_SESSION_EPOCH: "The epoch of the fetch session is not the next one expected.",
    ErrorCode.LISTENER_NOT_FOUND: "The leader has no listener with the name of the one that was asked.",
    ErrorCode.TOPIC_DELETION_DISABLED: "The cluster does not allow topics to be deleted.",
    ErrorCode.FENCED_LEADER_EPOCH: "The leader epoch in the request is older than the broker's.",
    ErrorCode.UNKNOWN_LEADER_EPOCH: "The leader epoch in the request is newer than the broker's.",
    ErrorCode.UNSUPPORTED_COMPRESSION_TYPE: "This version of the API cannot carry the batch's compression.",
    ErrorCode.STALE_BROKER_EPOCH: "The broker has registered again since it sent this.",
    ErrorCode.OFFSET_NOT_AVAILABLE: "The new leader does not know its high watermark yet.",
    ErrorCode.MEMBER_ID_REQUIRED: "The member must join again with the id that it was given.",
    ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE: "The preferred leader cannot lead now.",
    ErrorCode.GROUP_MAX_SIZE_REACHED: "The group has as many members as it may have.",
    ErrorCode.FENCED_INSTANCE_ID: "Another member has taken over the group instance id.",
    ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE: "No replica that may lead is available.",
    ErrorCode.ELECTION_NOT_NEEDED: "The partition already has the leader that was asked for.",
    ErrorCode.NO_REASSIGNMENT_IN_PROGRESS: "The partition is not being reassigned.",
    ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC: "Members of the group are subscribed to the topic.",
    ErrorCode.INVALID_RECORD: "The broker refused at least one record.",
    ErrorCode.UNSTABLE_OFFSET_COMMIT: "Offsets of an open transaction are not decided yet.",
    ErrorCode.THROTTLING_QUOTA_EXCEEDED: "The quota is used up; try again after the throttle time.",
    ErrorCode.PRODUCER_FENCED: "A newer producer with the same transactional id has taken over.",
    ErrorCode.RESOURCE_NOT_FOUND: "What the request names does not exist.",
    ErrorCode.DUPLICATE_RESOURCE: "The request names the same thing twice.",
    ErrorCode.UNACCEPTABLE_CREDENTIAL: "The credential does not meet the rules.",
    ErrorCode.INCONSISTENT_VOTER_SET: "The sender or receiver is not one of the voters that the other knows.",
    ErrorCode.INVALID_UPDATE_VERSION: "The thing was changed by somebody else in the meantime.",
    ErrorCode.FEATURE_UPDATE_FAILED: "The feature levels could not be changed.",
    ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE: "The principal in a forwarded request cannot be read.",
    ErrorCode.SNAPSHOT_NOT_FOUND: "There is no such snapshot.",
    ErrorCode.POSITION_OUT_OF_RANGE: "The position is beyond the end of the snapshot.",
    ErrorCode.UNKNOWN_TOPIC_ID: "This broker does not know the topic id.",
    ErrorCode.DUPLICATE_BROKER_REGISTRATION: "Another live broker is registered with this id.",
    ErrorCode.BROKER_ID_NOT_REGISTERED: "No broker is registered with this id.",
    ErrorCode.INCONSISTENT_TOPIC_ID: "The topic id in the log is not the one in the request.",
    ErrorCode.INCONSISTENT_CLUSTER_ID: "The request is meant for another cluster.",
    ErrorCode.TRANSACTIONAL_ID_NOT_FOUND: "There is no such transactional id.",
    ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR: "The fetch session mixes topic names and topic ids.",
    ErrorCode.INELIGIBLE_REPLICA: "The replica may not join the in-sync replicas now.",
    ErrorCode.NEW_LEADER_ELECTED: "The change was made and it moved the leadership elsewhere.",
    ErrorCode.OFFSET_MOVED_TO_TIERED_STORAGE: "The offset is no longer on local disk.",
    ErrorCode.FENCED_MEMBER_EPOCH: "The member is fenced: it must give up its partitions and join again.",
    ErrorCode.UNRELEASED_INSTANCE_ID: "The group instance id is still in use by another member.",
    ErrorCode.UNSUPPORTED_ASSIGNOR: "The group coordinator does not have this assignor.",
    ErrorCode.STALE_MEMBER_EPOCH: "The member epoch is old; the member must learn the new one and try again.",
    ErrorCode.MISMATCHED_ENDPOINT_TYPE: "The request went to the wrong kind of endpoint: broker or controller.",
    ErrorCode.UNSUPPORTED_ENDPOINT_TYPE: "This kind of endpoint is not known.",
    ErrorCode.UNKNOWN_CONTROLLER_ID: "No controller has this id.",
    ErrorCode.UNKNOWN_SUBSCRIPTION_ID: "The telemetry subscription has changed; ask for the new one.",
    ErrorCode.TELEMETRY_TOO_LARGE: "The pushed telemetry is larger than allowed.",
    ErrorCode.INVALID_REGISTRATION: "The controller refused the broker's registration.",
    ErrorCode.TRANSACTION_ABORTABLE: "The transaction must be aborted; the producer may go on afterwards.",
    ErrorCode.INVALID_RECORD_STATE: "The record is not in a state in which it can be acknowledged this way.",
    ErrorCode.SHARE_SESSION_NOT_FOUND: "The broker has dropped the share session.",
    ErrorCode.INVALID_SHARE_SESSION_EPOCH: "The epoch of the share session is not the next one expected.",
    ErrorCode.FENCED_STATE_EPOCH: "The share coordinator has a newer state epoch.",
    ErrorCode.INVALID_VOTER_KEY: "Voter id and directory id do not belong together here.",
    ErrorCode.DUPLICATE_VOTER: "The voter is already in the set of voters.",
    ErrorCode.VOTER_NOT_FOUND: "The voter is not in the set of voters.",
    ErrorCode.INVALID_REGULAR_EXPRESSION: "The regular expression is not valid.",
    ErrorCode.REBOOTSTRAP_REQUIRED: "The client must start again from its bootstrap servers.",
    ErrorCode.STREAMS_INVALID_TOPOLOGY: "The streams topology is not valid.",
    ErrorCode.STREAMS_INVALID_TOPOLOGY_EPOCH: "The epoch of the streams topology is not valid.",
    ErrorCode.STREAMS_TOPOLOGY_FENCED: "The group has a newer streams topology.",
    ErrorCode.SHARE_SESSION_LIMIT_REACHED: "The broker holds as many share sessions as it may.",
}
