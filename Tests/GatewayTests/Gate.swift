/// Partitions that do not answer until they are let go.
struct Gate: Sendable {
    /// One element for each question that came.
    let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation
    private let opened: AsyncStream<Void>
    private let open: AsyncStream<Void>.Continuation

    init() {
        (arrivals, arrived) = AsyncStream.makeStream()
        (opened, open) = AsyncStream.makeStream()
    }

    /// Says that a question came, and waits.
    func pass() async {
        arrived.yield()
        for await _ in opened { return }
    }

    func letGo() { open.finish() }
}
