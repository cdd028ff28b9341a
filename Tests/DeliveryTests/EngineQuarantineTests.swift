import Contracts
import Database
import Foundation
import Testing

@testable import Delivery

/// Two partitions over files, so that a test can bring back an older copy of either.
private final class FilePair {
    let pair: EnginePair
    private let folder: URL
    private var opened = 0

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "engine-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        pair = try EnginePair(
            stores: (
                SQLiteDatabase(path: folder.appending(path: "orders").path()),
                SQLiteDatabase(path: folder.appending(path: "entitlements").path())
            )
        )
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            print("the folder stays: \(error)")
        }
    }

    /// Copies a party's store as a backup would, after what is settled was deleted.
    func backUp(_ party: EngineParty) throws -> URL {
        pair.advance(PartitionEngine.settleIdleMilliseconds)
        try pair.carry(party.engine.handle([.tick], at: pair.clock), from: party)
        try party.store.checkpoint()
        opened += 1
        let copy = folder.appending(path: "backup-\(opened)")
        try FileManager.default.copyItem(at: folder.appending(path: party.address.service.rawValue), to: copy)
        return copy
    }

    /// Brings a backup back under a new owner.
    func restore(_ party: EngineParty, from copy: URL) throws {
        try pair.takeOver(party, store: SQLiteDatabase(path: copy.path()))
        try pair.reconnect()
    }

    func link() throws -> LinkStatus {
        let links = try #require(try pair.ask(LinksListV1(), of: pair.orders, id: "links")).get()
        return try #require(links.first)
    }

    func resume(redrive: Bool) throws -> LinkStatus {
        let resume = LinkResumeV1(to: pair.entitlements.address, redrive: redrive)
        let link = try #require(try pair.ask(resume, of: pair.orders, id: "resume")).get()
        try pair.redrive(pair.orders)
        return link
    }
}

@Suite struct EngineQuarantineTests {
    private let files: FilePair
    private let pair: EnginePair

    init() throws {
        files = try FilePair()
        pair = files.pair
    }

    @Test func `the links of a partition are listed as they are`() throws {
        try files.pair.carry(files.pair.send(["1", "2"]), from: files.pair.orders)
        let link = try files.link()
        #expect(link.from == files.pair.orders.address)
        #expect(link.to == files.pair.entitlements.address)
        #expect((link.next, link.settled, link.attached) == (3, 2, true))
        #expect(link.quarantine == nil)
    }

    @Test func `an older store of the receiver quarantines the link, and a resume sends what is unsettled`()
        throws
    {
        try pair.carry(pair.send(["1"]), from: pair.orders)
        let backup = try files.backUp(pair.entitlements)
        try pair.carry(pair.send(["2"]), from: pair.orders)
        try files.restore(pair.entitlements, from: backup)
        #expect(try files.link().quarantine == "receiverLostEvents")
        #expect(pair.alarms.contains { $0.contains("receiverLostEvents") })
        try pair.carry(pair.send(["3"]), from: pair.orders)
        #expect(try pair.entitlements.texts() == ["1"], "a quarantined link carries nothing")
        let resumed = try files.resume(redrive: false)
        #expect(resumed.quarantine == nil)
        #expect(try pair.entitlements.texts() == ["1", "3"], "the second needs a redrive")
        try pair.carry(pair.send(["4"]), from: pair.orders)
        #expect(try pair.entitlements.texts() == ["1", "3", "4"])
        #expect(try files.link().quarantine == nil)
    }

    @Test func `an older store of the sender quarantines the link, and a redrive tells the state again`()
        throws
    {
        try pair.carry(pair.send(["1"]), from: pair.orders)
        let backup = try files.backUp(pair.orders)
        try pair.carry(pair.send(["2", "3"]), from: pair.orders)
        try files.restore(pair.orders, from: backup)
        #expect(try files.link().quarantine == "senderLostEvents")
        let former = try files.link().incarnation
        let resumed = try files.resume(redrive: true)
        #expect(resumed.incarnation != former)
        #expect(try pair.entitlements.texts() == ["1", "2", "3", "redriven"])
        try pair.carry(pair.send(["4"]), from: pair.orders)
        #expect(try pair.entitlements.texts() == ["1", "2", "3", "redriven", "4"])
        #expect(pair.orders.engine.state.depth == 0)
    }

    @Test
    func `an older store whose links began anew is not quarantined, and its owner tells its state again`()
        throws
    {
        try pair.carry(pair.send(["1"]), from: pair.orders)
        let backup = try files.backUp(pair.orders)
        try pair.carry(pair.send(["2", "3"]), from: pair.orders)
        let former = try files.link().incarnation
        let older = try OfflineStore(path: backup.path(), of: .init(pair.orders.address, of: 1))
        #expect(try older.redrive(to: { $0 == pair.orders.address }, now: pair.clock.now).isEmpty)
        #expect(try older.links() == ["/entitlements/0": former])
        #expect(try older.redrive(to: { _ in true }, now: pair.clock.now) == [pair.entitlements.address])
        try older.close()
        try files.restore(pair.orders, from: backup)
        try pair.redrive(pair.orders)
        #expect(try files.link().quarantine == nil && files.link().incarnation != former)
        #expect(try files.link().redrive?.finishedAt != nil)
        #expect(try pair.entitlements.texts() == ["1", "2", "3", "redriven"])
    }

    @Test func `an older store that has sent other events since is found by the event's id`() throws {
        try pair.carry(pair.send(["1"]), from: pair.orders)
        let backup = try files.backUp(pair.orders)
        try pair.carry(pair.send(["2"]), from: pair.orders)
        try pair.orders.replace(store: SQLiteDatabase(path: backup.path()), at: pair.clock)
        _ = try pair.send(["another 2", "another 3"])
        try pair.reconnect()
        #expect(try files.link().quarantine == "differentHistory")
        #expect(try pair.entitlements.texts() == ["1", "2"])
        _ = try files.resume(redrive: false)
        #expect(try pair.entitlements.texts() == ["1", "2", "another 2", "another 3"])
    }

    @Test func `a quarantine outlives its owner`() throws {
        try pair.carry(pair.send(["1"]), from: pair.orders)
        let backup = try files.backUp(pair.entitlements)
        try pair.carry(pair.send(["2"]), from: pair.orders)
        try files.restore(pair.entitlements, from: backup)
        try pair.takeOver(pair.orders)
        #expect(try files.link().quarantine == "receiverLostEvents")
        let status = try #require(try pair.ask(PartitionStatusV1(), of: pair.orders)).get()
        #expect(status.quarantinedLinks == 1)
    }

    @Test func `a link shows that its sender has lost nothing, unless it has, or was begun anew`() throws {
        try pair.carry(pair.send(["1"]), from: pair.orders)
        let backup = try files.backUp(pair.orders)
        #expect(isConfirmed(pair), "a receiver that knew nothing")
        try pair.takeOver(pair.orders)
        #expect(isConfirmed(pair), "an ordinary restart")
        let copy = pair.orders.engine
        try pair.carry(pair.send(["2"]), from: pair.orders)
        try files.restore(pair.orders, from: backup)
        #expect(pair.orders.engine !== copy)
        #expect(!isConfirmed(pair), "an older copy")
        _ = try files.resume(redrive: false)
        #expect(try files.link().attached)
        #expect(!isConfirmed(pair), "begun anew: both sides count from 1 again")
        try pair.takeOver(pair.orders)
        try pair.carry(pair.send(["3"]), from: pair.orders)
        #expect(!isConfirmed(pair), "and so it stays for the next owner")
    }

    /// Whether Entitlements has shown Orders that nothing which it took is missing there.
    private func isConfirmed(_ pair: EnginePair) -> Bool {
        let engine = pair.orders.engine
        let isConfirmed = engine.state.senders[pair.entitlements.address]?.machine.isConfirmed == true
        #expect(engine.state.confirmed.contains(pair.entitlements.address) == isConfirmed)
        return isConfirmed
    }

    @Test func `a link that runs is not resumed, but redriven when asked`() throws {
        try pair.carry(pair.send(["1", "2"]), from: pair.orders)
        let resume = LinkResumeV1(to: pair.entitlements.address, redrive: false)
        let answer = try pair.ask(resume, of: pair.orders)
        #expect(throws: RequestRefusal(.conflict, "the link is not quarantined")) { try answer?.get() }
        _ = try files.resume(redrive: true)
        #expect(try pair.entitlements.texts() == ["1", "2", "redriven"])
        let stranger = LinkResumeV1(to: PartitionAddress(.receipts, 3), redrive: true)
        #expect(throws: RequestRefusal.self) { try pair.ask(stranger, of: pair.orders, id: "2")?.get() }
    }

    @Test func `an answer to an attach of the link's former life is not taken for one of the new life`()
        throws
    {
        let attach = try pair.send(["1", "2"])
        let inputs = pair.inputs(of: attach, from: pair.orders, to: pair.entitlements)
        let late = try pair.entitlements.engine.handle(inputs, at: pair.clock)
        try pair.carry(late, from: pair.entitlements)
        let resume = LinkResumeV1(to: pair.entitlements.address, redrive: true)
        let request = try pair.request(resume)
        let resumed = try pair.orders.engine.handle([request], at: pair.clock)
        try pair.carry(late, from: pair.entitlements)
        try pair.carry(resumed, from: pair.orders)
        try pair.redrive(pair.orders)
        #expect(try pair.entitlements.texts() == ["1", "2", "redriven"])
        #expect(try files.link().quarantine == nil)
    }
}
