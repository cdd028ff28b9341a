/// Partitions that do not reply until the latch is opened.
struct Latch: Sendable {
    /// One element for each request that came.
    let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation
    private let opened: AsyncStream<Void>
    private let opening: AsyncStream<Void>.Continuation

    init() {
        (arrivals, arrived) = AsyncStream.makeStream()
        (opened, opening) = AsyncStream.makeStream()
    }

    /// Tells that a request came, and waits.
    func wait() async {
        arrived.yield()
        for await _ in opened { return }
    }

    func open() { opening.finish() }
}
