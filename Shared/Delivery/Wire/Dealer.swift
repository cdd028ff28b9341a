import ZeroMQ

/// The socket to a partition, and where the partition listened when it was connected.
struct Dealer {
    let socket: SocketID
    let endpoint: Endpoint
}
