"""The leader's and the follower's side of one partition: in-sync replicas, high watermark, epochs."""
