"""The cluster as data: metadata records, the image they make, what differs between two images, snapshots."""
