import Contracts
import Database
import Domain
import Testing

@testable import Delivery

/// Poison that is not in hand when it arrives, but later: each of these was an endless loop of deaths.
@Suite struct EngineSuspectTests {
    private static let deaths = PartitionEngine.suspectDeaths

    /// One life of a partition that ends where its handler runs `statement`.
    private func die(
        _ party: EngineParty,
        of pair: EnginePair,
        at statement: String,
        running program: NoteService<ReceivingRole>? = nil,
        _ act: (PartitionEngine) throws -> Void
    ) throws {
        try party.replace(program: program, at: pair.clock)
        party.store.layTrap(at: statement)
        #expect(throws: StoreError.failed("trap")) { try act(party.engine) }
        party.store.faultInside = nil
    }

    @Test(arguments: [(deaths, ["2"]), (deaths - 1, ["bad", "2"])])
    func `a delayed event that ended five processes is a dead letter, one that survived four takes effect`(
        _ lives: Int,
        _ texts: [String]
    ) throws {
        let pair = try EnginePair.delaying()
        try pair.entitlements.write("DELETE FROM broken")
        pair.advance(RetryPolicy.backoff.longest)
        for death in 1...lives {
            try die(pair.entitlements, of: pair, at: "INSERT INTO note") {
                _ = try $0.retryDelayed(at: pair.clock)
            }
            #expect(try pair.entitlements.count("suspect", "deaths = \(death)") == 1)
        }
        try pair.takeOver(pair.entitlements)
        for _ in 0..<2 {
            try pair.carry(pair.entitlements.engine.retryDelayed(at: pair.clock), from: pair.entitlements)
        }
        let letters = try pair.entitlements.count("dead_letter", "reason LIKE 'the process ended%'")
        #expect(letters == (lives == Self.deaths ? 1 : 0))
        #expect(try pair.entitlements.texts() == texts, "the subject flows again")
        #expect(try pair.entitlements.count("suspect") == 0)
    }

    @Test func `a dead letter that a later program revives and dies of is a dead letter again`() throws {
        let pair = try EnginePair()
        let later = NoteService<ReceivingRole>(isLater: true)
        try pair.tell(pair.entitlements, [pair.event(NoteV2(text: "new"))])
        #expect(try pair.entitlements.count("dead_letter", "unknown_type = 1") == 1)
        for _ in 1...Self.deaths {
            try die(pair.entitlements, of: pair, at: "INSERT INTO note", running: later) {
                _ = try $0.retryDelayed(at: pair.clock)
            }
        }
        for _ in 0..<2 {
            try pair.entitlements.replace(program: later, at: pair.clock)
            _ = try pair.entitlements.engine.retryDelayed(at: pair.clock)
            #expect(try pair.entitlements.count("dead_letter", "unknown_type = 0") == 1)
            #expect(try pair.entitlements.count("delayed_event") == 0)
        }
    }

    @Test func `a redrive whose page ended five processes stops and calls the operator`() throws {
        let pair = try EnginePair()
        try pair.carry(pair.send(["sent"]), from: pair.orders)
        try pair.tell(pair.orders, [pair.event(NoteV1(text: "1"))])
        let resume = LinkResumeV1(to: pair.entitlements.address, redrive: true)
        _ = try pair.ask(resume, of: pair.orders)
        for death in 1...Self.deaths {
            try die(pair.orders, of: pair, at: "INSERT INTO outbox") {
                _ = try $0.redrive(at: pair.clock)
            }
            #expect(try pair.orders.count("suspect", "deaths = \(death)") == 1)
        }
        try pair.takeOver(pair.orders)
        let output = try pair.orders.engine.redrive(at: pair.clock)
        #expect(
            output.alarms.contains { $0.text.contains("redrive") && $0.text.contains("the process ended") }
        )
        #expect(pair.orders.engine.dueRedrive == nil)
        let links = try pair.ask(LinksListV1(), of: pair.orders)?.get()
        #expect(links?.first?.redrive?.failure == FailedItem.deadlyReason)
        #expect(try pair.orders.count("suspect") == 0)
    }

    @Test
    func `outside work whose result ended five processes is parked, the rest is done, and it is released`()
        throws
    {
        let pair = try EnginePair(orders: .init(worker: JobWorker()))
        try pair.tell(pair.orders, [pair.event(JobsV1(keys: ["a", "b"]))])
        let deadly = WorkItem(key: "a", payload: Array("a".utf8))
        let harmless = WorkItem(key: "b", payload: Array("b".utf8))
        func finish(_ item: WorkItem, _ engine: PartitionEngine) throws -> PartitionOutput {
            try engine.handle([.worked(item, result: item.payload)], at: pair.clock)
        }
        for death in 1...Self.deaths {
            try die(pair.orders, of: pair, at: "DELETE FROM job") { engine in
                _ = try finish(deadly, engine)
            }
            #expect(try pair.orders.count("suspect", "deaths = \(death)") == 1)
        }
        for life in 0..<2 {
            try pair.takeOver(pair.orders)
            let given = try pair.orders.engine.handle([.tick], at: pair.clock)
            #expect(given.work.map(\.key) == (life == 0 ? ["a", "b"] : ["b"]))
            if life == 0 {
                let output = try finish(deadly, pair.orders.engine)
                #expect(output.alarms.contains { $0.text.contains("work is parked: a") })
            }
        }
        try pair.carry(finish(harmless, pair.orders.engine), from: pair.orders)
        #expect(try pair.entitlements.texts() == ["b"])
        #expect(try pair.orders.count("job") == 1, "its row stays")

        let listed = try pair.ask(DelayedEventsListV1(), of: pair.orders)?.get()
        #expect(listed?.map(\.eventId) == ["a"] && listed?.first?.kind == .work)
        let wish = DelayedEventReleaseV1(eventId: "a", decidedBy: "ada")
        let released = try pair.orders.engine.handle([pair.request(wish)], at: pair.clock)
        #expect(released.work.map(\.key) == ["a"])
        try pair.carry(finish(deadly, pair.orders.engine), from: pair.orders)
        #expect(try pair.entitlements.texts() == ["b", "a"])
    }

    @Test func `a result that ends processes is found, however many turns of timers come before it`() throws {
        let pair = try EnginePair(orders: .init(worker: JobWorker(), timers: [JobTimer(isIdle: true)]))
        try pair.tell(pair.orders, [pair.event(JobsV1(keys: ["a"]))])
        let deadly = WorkItem(key: "a", payload: Array("a".utf8))
        let turn = PartitionInput.worked(WorkItem(key: "turn", timer: 0), result: [])
        try die(pair.orders, of: pair, at: "DELETE FROM job") { engine in
            for _ in 0..<PartitionEngine.cautiousWorkItems { _ = try engine.handle([turn], at: pair.clock) }
            _ = try engine.handle([.worked(deadly, result: deadly.payload)], at: pair.clock)
        }
        #expect(try pair.orders.count("suspect", "name = 'work a' AND deaths = 1") == 1)
    }

    @Test func `after a polite end nothing is noted: a retry, a page and a result cost one commit each`()
        throws
    {
        let pair = try EnginePair(orders: .init(worker: JobWorker()))
        try pair.carry(pair.send(["sent"]), from: pair.orders)
        try pair.orders.write("INSERT INTO broken (text) VALUES ('bad')")
        try pair.tell(
            pair.orders,
            [pair.event(NoteV1(text: "bad")), pair.event(JobsV1(keys: ["a"]), subject: "bob")]
        )
        try pair.orders.write("DELETE FROM broken")
        _ = try pair.ask(LinkResumeV1(to: pair.entitlements.address, redrive: true), of: pair.orders)
        try pair.orders.engine.leave()
        pair.advance(RetryPolicy.backoff.longest)
        try pair.takeOver(pair.orders)
        let item = WorkItem(key: "a", payload: Array("a".utf8))
        for act: (PartitionEngine) throws -> PartitionOutput in [
            { try $0.retryDelayed(at: pair.clock) }, { try $0.redrive(at: pair.clock) },
            { try $0.handle([.worked(item, result: item.payload)], at: pair.clock) },
        ] {
            let before = pair.orders.store.commits
            _ = try act(pair.orders.engine)
            #expect(pair.orders.store.commits == before + 1)
        }
        #expect(try pair.orders.count("suspect") == 0)
    }
}
