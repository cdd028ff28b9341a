import Foundation
import TestTraits
import Testing
import ZeroMQ

/// A router whose file is removed or replaced while it is bound.
@Suite(.ownThread) struct RebindTests {
    /// So often a dealer sends, 100 ms apart, until it is given up.
    private static let attempts = 300

    private let harness: Harness
    private let router: PollLoop
    private let socket: SocketID

    init() throws {
        harness = try Harness()
        router = try PollLoop(in: SocketContext())
        socket = try router.bind(at: harness.endpoint(), maximumMessageBytes: 1 << 20) { _ in }
    }

    /// Whether something from a dealer arrives, which may have to be sent again.
    private func isReached(by dealer: Dealer) -> Bool {
        let former = router.statistics.received
        for _ in 0..<Self.attempts {
            harness.loop.send([[1]], on: dealer.socket)
            router.turn(waiting: 100)
            if router.statistics.received > former { return true }
        }
        return false
    }

    @Test func `a router whose file is at its place stays as it is`() throws {
        let dealer = try harness.dealer()
        #expect(isReached(by: dealer))
        #expect(try !router.rebindIfCutOff(socket))
        #expect(isReached(by: dealer))
    }

    @Test(arguments: ["rm", "touch", "mv"])
    func
        `a router whose file is removed or replaced is bound again: who was connected and who comes later reach it`(
            way: String
        ) throws
    {
        let before = try harness.dealer()
        #expect(isReached(by: before))
        let (files, path) = (FileManager.default, harness.path())
        for round in 1...3 {
            switch way {
            case "mv": try files.moveItem(atPath: path, toPath: "\(path).\(round)")
            case "touch":
                try files.removeItem(atPath: path)
                try Data().write(to: URL(filePath: path))
            default: try files.removeItem(atPath: path)
            }
            #expect(try router.rebindIfCutOff(socket))
            #expect(try !router.rebindIfCutOff(socket), "once")
            #expect(isReached(by: before))
            #expect(isReached(by: try harness.dealer()))
        }
    }

    @Test func `a router whose folder is gone says so`() throws {
        try FileManager.default.removeItem(at: harness.folder)
        let path = harness.path()
        #expect(throws: ZeroMQError.callFailed("bind \(path)", code: ENOENT)) {
            try router.rebindIfCutOff(socket)
        }
        try FileManager.default.createDirectory(at: harness.folder, withIntermediateDirectories: true)
    }
}
