import Database
import Testing

@testable import PostgreSQL

@Suite struct `the attempts to append an entry` {
    static let entry = LogEntry.rows(7, 2, "a")
    static let refused = ServerFault(severity: "ERROR", state: "53100", message: "full")
    static let standby = ServerFault(severity: "ERROR", state: "25006", message: "read only")
    static let forbidden = ServerFault(severity: "ERROR", state: "42501", message: "no right")
    static let dying = ServerFault(severity: "FATAL", state: "57P01", message: "shutdown")

    /// Events by which each step is reached.
    static let ways: [(AppendAttempts.Step, [AppendAttempts.Event])] = [
        (.insert, []), (.confirm, [.written(rows: 0, doubt: nil)]),
        (.look, [.written(rows: 0, doubt: nil), .written(rows: 0, doubt: nil)]),
    ]

    private static func reached(_ events: [AppendAttempts.Event]) -> AppendAttempts {
        var attempts = AppendAttempts(entry)
        for event in events { _ = attempts.apply(event) }
        return attempts
    }

    @Test(arguments: ways)
    func `follow the table at each step`(step: AppendAttempts.Step, events: [AppendAttempts.Event]) {
        let start = Self.reached(events)
        #expect(start.step == step)
        let table: [(AppendAttempts.Event, AppendAttempts.Directive)] = [
            (.fault(Self.refused), .finish(.unknown(Self.refused.text))),
            (.fault(Self.standby), .reconnect(.insert)), (.fault(Self.dying), .reconnect(.insert)),
            (.silent("cut"), .reconnect(.insert)), (.slow, .wait(step)), (.busy, .send(step)),
            (.fault(Self.forbidden), .fail(.refused(Self.forbidden.text))),
            (.written(rows: 1, doubt: nil), .finish(.appended)),
            (.written(rows: 1, doubt: "warned"), .send(.insert)),
            (.written(rows: 0, doubt: nil), .send(step == .insert ? .confirm : .look)),
        ]
        for (event, directive) in table {
            var attempts = start
            #expect(attempts.apply(event) == directive, "\(event)")
        }
    }

    /// Whoever took it for refused would write another entry in its place.
    @Test(
        arguments: [.silent("cut"), .slow, .fault(dying), .written(rows: 1, doubt: "warned")]
            as [AppendAttempts.Event]
    )
    func `end with the unknown where one was not clear and a later one is refused`(
        first: AppendAttempts.Event
    ) {
        var attempts = AppendAttempts(Self.entry)
        _ = attempts.apply(first)
        #expect(attempts.apply(.fault(Self.forbidden)) == .finish(.unknown(Self.forbidden.text)))
    }

    @Test func `without a clear answer never end in anything but the unknown`() {
        var attempts = AppendAttempts(Self.entry)
        var count = 1
        while attempts.apply(.written(rows: 1, doubt: "warned")) == .send(.insert) { count += 1 }
        #expect(count == AppendAttempts.maximumAttempts)
        #expect(attempts.apply(.timeIsOver) == .finish(.unknown("warned")))
    }

    @Test(
        arguments: [
            (
                LogHead(position: 5, epoch: 2), nil, Placement.Occupant.none,
                AppendOutcome.behind(LogHead(position: 5, epoch: 2))
            ),
            (LogHead(position: 6, epoch: 2), 2, .none, nil),
            (LogHead(position: 6, epoch: 3), 3, .none, .taken),
            (LogHead(position: 7, epoch: 3), 2, .another, .taken),
            (LogHead(position: 7, epoch: 2), 2, .same, nil),
            (LogHead(position: 9, epoch: 4), nil, .none, .taken),
            (LogHead(position: 9, epoch: 4), nil, .same, nil),
        ] as [(LogHead, Int64?, Placement.Occupant, AppendOutcome?)]
    )
    func `end with what is around the entry`(
        _ place: (LogHead, Int64?, Placement.Occupant, AppendOutcome?)
    ) {
        let placement = Placement(head: place.0, previousEpoch: place.1, occupant: place.2)
        #expect(placement.outcome(of: Self.entry) == place.3)
    }
}

@Suite struct `the server that is written to` {
    static let strong = Durability(fsync: "on", synchronousCommit: "on", synchronousStandbyNames: "*")
    static let hosts = ["a", "b", "c"].map { LogAddress.Host(name: $0, port: 1) }

    private func choose(_ choice: inout PrimaryChoice, _ reports: [ServerReport]) throws -> Int {
        try choice.choose(among: zip(Self.hosts, reports).map { ($0, $1) })
    }

    @Test func `is the primary of the highest timeline, whatever the order`() throws {
        for order in [[1, 2, 3], [3, 1, 2], [2, 3, 1]] {
            var choice = PrimaryChoice()
            let reports = order.map { ServerReport.primary(timeline: Int64($0), Self.strong) }
            #expect(
                try choice.choose(among: zip(Self.hosts, reports).map { ($0, $1) }) == order.firstIndex(of: 3)
            )
        }
    }

    @Test func `is none that a standby knows to be replaced`() {
        var choice = PrimaryChoice()
        #expect(throws: SessionFault.self) {
            try choose(&choice, [.primary(timeline: 1, Self.strong), .standby(timeline: 2)])
        }
    }

    @Test func `is none of a lower timeline than was ever seen`() throws {
        var choice = PrimaryChoice()
        #expect(try choose(&choice, [.silent("dead"), .primary(timeline: 2, Self.strong)]) == 1)
        #expect(throws: SessionFault.self) {
            try choose(&choice, [.primary(timeline: 1, Self.strong), .silent("dead")])
        }
        #expect(try choose(&choice, [.primary(timeline: 2, Self.strong)]) == 0)
    }

    @Test func `is none of a lower timeline than the store had seen, and none of another database`() throws {
        var choice = PrimaryChoice()
        choice.expect(LogLineage(system: 7, timeline: 2))
        #expect(throws: SessionFault.self) {
            try choose(&choice, [.primary(timeline: 1, Self.strong), .silent("slow")])
        }
        #expect(throws: SessionFault.foreign("no primary: a:1: other; b:1: slow")) {
            try choose(&choice, [.foreign("other"), .silent("slow")])
        }
        #expect(
            try choose(&choice, [.primary(timeline: 1, Self.strong), .primary(timeline: 2, Self.strong)]) == 1
        )
        #expect(choice.lineage == LogLineage(system: 7, timeline: 2))
    }

    @Test func `is none that lets nobody in: that is wrong, and a server that is away is not`() throws {
        var choice = PrimaryChoice()
        #expect(throws: SessionFault.foreign("no primary: a:1: no such user; b:1 is a standby")) {
            try choose(&choice, [.refused("no such user"), .standby(timeline: 1)])
        }
        // Such as after a boot of all machines: the primary may come last, and let this user in.
        #expect(throws: SessionFault.silent("no primary: a:1: no such user; b:1: dead")) {
            try choose(&choice, [.refused("no such user"), .silent("dead")])
        }
        let one = LogAddress.Host(name: "a", port: 1)
        let reports: [ServerReport] = [.silent("nobody listens at ::1"), .refused("no such user")]
        #expect(throws: SessionFault.foreign("no primary: a:1: nobody listens at ::1; a:1: no such user")) {
            _ = try choice.choose(among: reports.map { (one, $0) })
        }
        #expect(throws: SessionFault.silent("no primary: a:1: dead; b:1 is a standby")) {
            try choose(&choice, [.silent("dead"), .standby(timeline: 1)])
        }
    }

    @Test func `may be of an engine without timelines`() throws {
        var choice = PrimaryChoice()
        #expect(try choose(&choice, [.silent("dead"), .primary(timeline: nil, Durability())]) == 1)
    }

    @Test(
        arguments: [
            ("on", "on", "*", true), ("on", "remote_apply", "FIRST 1 (b)", true), ("off", "on", "*", false),
            ("on", "off", "*", false), ("on", "local", "*", false), ("on", "remote_write", "*", false),
            ("on", "on", "", false), ("on", "on", " ", false), (nil, nil, nil, false),
        ] as [(String?, String?, String?, Bool)]
    )
    func `promises a second machine by its settings alone`(_ settings: (String?, String?, String?, Bool)) {
        let durability = Durability(
            fsync: settings.0,
            synchronousCommit: settings.1,
            synchronousStandbyNames: settings.2
        )
        #expect((durability.weakness == nil) == settings.3)
    }

    @Test(
        arguments: [("error", false), ("warning", true), ("notice", true), (nil, true)] as [(String?, Bool)]
    )
    func `promises nothing where it hides that a COMMIT has not waited`(level: String?, isStrong: Bool) {
        var durability = Self.strong
        durability.clientMinMessages = level
        #expect((durability.weakness == nil) == isStrong)
    }
}

@Suite struct `the rows of all owners` {
    private static func rows(_ counter: Int64) -> [GroupRecords.Owner] {
        ["orders/0", "orders/1"].map { partition in
            .init(
                partition: partition,
                epoch: 1,
                counter: partition == "orders/0" ? counter : 7,
                endpoint: "",
                quarantine: nil
            )
        }
    }

    @Test func `may be a former primary's when none has changed for 2 s, and again after 2 s`() {
        var standstill = OwnerStandstill()
        let asked = stride(from: Int64(0), through: 4_500, by: 500).filter {
            standstill.note(Self.rows(1), at: $0)
        }
        #expect(asked == [2_000, 4_000])
    }

    @Test func `are the primary's while one of them changes`() {
        var standstill = OwnerStandstill()
        for second in Int64(0)..<9 {
            let asked = [0, 999].map { standstill.note(Self.rows(second), at: second * 1_000 + $0) }
            #expect(asked == [false, false])
        }
    }
}
