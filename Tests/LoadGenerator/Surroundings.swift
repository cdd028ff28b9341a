import AppStoreSigning
import Foundation
import Glibc

/// What all phones of one run share.
struct Surroundings: Sendable {
    let client: GatewayClient
    let signer: AppStoreSigner
    let journal: Journal
    let book: Book
    let schedule: Schedule
    let buyers: Buyers
    /// What is sold; the last one is not consumed and can be restored.
    let products: [Product]
    let habits: Habits
    let ledgers: Ledgers

    init(
        client: GatewayClient,
        signer: AppStoreSigner,
        journal: Journal,
        book: Book,
        schedule: Schedule,
        buyers: Buyers,
        products: [Product],
        habits: Habits
    ) {
        self.client = client
        self.signer = signer
        self.journal = journal
        self.book = book
        self.schedule = schedule
        self.buyers = buyers
        self.products = products
        self.habits = habits
        ledgers = Ledgers(buyers, client: client, book: book)
    }

    /// Asks until there is a 2xx, with pauses that grow; nil after a 4xx, or when the run is over.
    func insist<Value: Sendable>(
        _ request: () async -> Reply<Value>
    ) async throws -> (value: Value, status: Int)? {
        var pause = Self.firstPause
        while !schedule.isOver {
            switch await request() {
            case .answered(let value, let status): return (value, status)
            case .rejected(let reason):
                book.noteRejection(reason)
                return nil
            case .failed(let reason): book.noteError(reason)
            }
            try await Task.sleep(for: pause * Double.random(in: 0.5...1.5))
            pause = min(pause * 2, Self.longestPause)
        }
        return nil
    }

    private static let firstPause = Duration.milliseconds(25)
    private static let longestPause = Duration.seconds(1)
}

/// The clock that all processes of the machine share.
enum WallClock {
    /// Microseconds since 1970.
    static var microseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
