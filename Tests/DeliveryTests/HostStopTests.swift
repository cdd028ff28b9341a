import NIOConcurrencyHelpers
import TestKit
import Testing

@testable import Delivery

@Suite(.timeLimit(.minutes(5))) struct HostStopTests {
    @Test func `a partition that is taken while the replica stops is released at once`() async throws {
        let folder = try HostFolder()
        let ownership = WatchedOwnership()
        let host = try folder.host(NoteService<SendingRole>(), ownership: ownership)
        ownership.onTake.withLockedValue { $0 = { host.stop() } }
        try await host.run()
        ownership.onTake.withLockedValue { $0 = {} }
        #expect(ownership.partition.isReleased)
        #expect(host.owned.isEmpty)
    }
}

/// The ownership of a single replica, which says when it is asked for a partition.
private final class WatchedOwnership: Ownership {
    /// The one place and the one partition.
    final class Lock: Membership, OwnedPartition {
        private let released = NIOLockedValueBox(false)

        var isReleased: Bool { released.withLockedValue { $0 } }
        var isStillOwned: Bool { !isReleased }

        func renew() -> Bool { true }

        func release() { released.withLockedValue { $0 = true } }
    }

    let onTake = NIOLockedValueBox<@Sendable () -> Void>({})
    let partition = Lock()

    func join() -> (any Membership)? { Lock() }

    func census() -> (members: Int, rank: Int) { (1, 0) }

    func isFree(_ partition: Int) -> Bool { !self.partition.isReleased }

    func take(_ partition: Int) -> (any OwnedPartition)? {
        let onTake = onTake.withLockedValue { $0 }
        onTake()
        return self.partition
    }
}
