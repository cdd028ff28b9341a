import Contracts
import Database
import Foundation
import Testing

@testable import Delivery

/// A store whose writes fail when a test wants it, as on a full disk.
final class FaultyDatabase: Database {
    private let database: any Database
    var fault: StoreError?
    /// Thrown when a handler writes a note, or runs the statement that a trap is laid at, instead of at the end.
    var faultInside: StoreError?
    private var trapped = "INSERT INTO note"
    /// How many transactions were committed.
    private(set) var commits = 0
    private var faultAfter = 0

    init(_ database: any Database) { self.database = database }

    /// Makes a handler end the process, as far as an engine can tell, where it runs such a statement.
    func layTrap(at statement: String) {
        trapped = statement
        faultInside = .failed("trap")
    }

    /// Lets so many transactions pass in all, then none.
    func failAfter(commits: Int, with fault: StoreError) {
        faultAfter = commits
        self.fault = fault
    }

    func write<Value>(_ body: (any Connection) throws -> Value) throws -> Value {
        let value = try database.write { connection in
            let value = try body(
                faultInside == nil ? connection : FaultyConnection(connection, faultInside, at: trapped)
            )
            if let fault, commits >= faultAfter { throw fault }
            return value
        }
        commits += 1
        return value
    }

    var counts: StoreCounts { database.counts }
    func checkpoint() throws { try database.checkpoint() }
    func close() throws { try database.close() }
}

/// A transaction in which a statement cannot be run.
private final class FaultyConnection: Connection {
    private let connection: any Connection
    private let fault: StoreError?
    private let statement: String

    init(_ connection: any Connection, _ fault: StoreError?, at statement: String) {
        self.connection = connection
        self.fault = fault
        self.statement = statement
    }

    func execute(_ sql: String, _ values: [Value]) throws(StoreError) -> Int {
        if let fault, sql.hasPrefix(statement) { throw fault }
        return try connection.execute(sql, values)
    }

    func rows(_ sql: String, _ values: [Value]) throws(StoreError) -> [Row] {
        try connection.rows(sql, values)
    }
}

/// One partition with its store, and the owner of the day.
final class EngineParty {
    let address: PartitionAddress
    private(set) var store: FaultyDatabase
    private(set) var engine: PartitionEngine
    private let make: ((any PartitionedService)?, FaultyDatabase, UInt64) -> PartitionEngine
    private(set) var lives: UInt64 = 1

    /// A partition whose first owner has taken it.
    init<Service: PartitionedService>(
        _ service: Service,
        store: (any Database)? = nil,
        settleDelayMilliseconds: Int64 = 0,
        lingerMilliseconds: Int64 = 0,
        at clock: ClockReading
    ) throws {
        let address = PartitionAddress(Service.name, 0)
        self.address = address
        self.store = FaultyDatabase(try store ?? SQLiteDatabase(path: ":memory:"))
        make = { program, store, life in
            var settings = PartitionEngine.Settings(address: address, partitions: 1)
            let seed = life << 8 | UInt64(Service.name.rawValue.utf8.count)
            settings.identifiers = IdentifierSource(seed: seed)
            settings.settleDelayMilliseconds = settleDelayMilliseconds
            settings.lingerMilliseconds = lingerMilliseconds
            return PartitionEngine(service: program ?? service, settings: settings, store: store)
        }
        engine = make(nil, self.store, 1)
        _ = try engine.takeOver(at: clock)
    }

    /// A new owner of the store, or of another one, which may run another program; the former owner is told nothing.
    @discardableResult
    func replace(
        program: (any PartitionedService)? = nil,
        store other: (any Database)? = nil,
        at clock: ClockReading
    ) throws -> PartitionOutput {
        if let other { store = FaultyDatabase(other) }
        lives += 1
        engine = make(program, store, lives)
        return try engine.takeOver(at: clock)
    }

    /// What connects this partition to another one; a new owner has new connections.
    func connection(to other: EngineParty) -> [UInt8] {
        Array("\(address)#\(lives)→\(other.address)#\(other.lives)".utf8)
    }

    func write(_ sql: String, _ values: [Value] = []) throws {
        try store.write { _ = try $0.execute(sql, values) }
    }

    func count(_ table: String, _ condition: String = "1 = 1") throws -> Int {
        try store.write {
            try $0.value("SELECT COUNT(*) FROM \(raw: table) WHERE \(raw: condition)") ?? -1
        }
    }

    /// How often this was decided about a dead letter or a delayed event, by whom.
    func decisions(_ action: String, by name: String) throws -> Int {
        try count("dead_letter_audit", "action = '\(action)' AND decided_by = '\(name)'")
    }

    func texts() throws -> [String] { try store.write { try NoteService<SendingRole>.texts($0) } }
}

/// Two partitions whose words are carried by hand.
final class EnginePair {
    typealias Orders = NoteService<SendingRole>
    typealias Entitlements = NoteService<ReceivingRole>

    let orders: EngineParty
    let entitlements: EngineParty
    var clock = ClockReading(now: Timestamp(milliseconds: 1_760_000_000_000), uptime: 1_000)
    /// Everything that was carried from the sender to the receiver, in order.
    private(set) var forth: [WireMessage] = []
    private(set) var alarms: [String] = []
    private var counted = 0

    init(
        orders service: Orders = Orders(),
        stores: (any Database, any Database)? = nil,
        settleDelayMilliseconds: Int64 = 0,
        lingerMilliseconds: Int64 = 0
    ) throws {
        orders = try EngineParty(
            service,
            store: stores?.0,
            lingerMilliseconds: lingerMilliseconds,
            at: clock
        )
        entitlements = try EngineParty(
            Entitlements(),
            store: stores?.1,
            settleDelayMilliseconds: settleDelayMilliseconds,
            at: clock
        )
    }

    /// A pair whose receiver delays the note `bad` and, behind it, `2`.
    static func delaying() throws -> EnginePair {
        let pair = try EnginePair()
        try pair.entitlements.write("INSERT INTO broken (text) VALUES ('bad')")
        try pair.tell(
            pair.entitlements,
            [pair.event(NoteV1(text: "bad")), pair.event(NoteV1(text: "2"))]
        )
        return pair
    }

    func advance(_ milliseconds: Int64) {
        clock = ClockReading(
            now: clock.now.advanced(by: milliseconds),
            uptime: clock.uptime + milliseconds
        )
    }

    /// Lets a party send every page that it has to send again, and carries each.
    func redrive(_ party: EngineParty) throws {
        while party.engine.dueRedrive != nil {
            try carry(party.engine.redrive(at: clock), from: party)
        }
    }

    func other(_ party: EngineParty) -> EngineParty { party === orders ? entitlements : orders }

    /// Carries what a partition says, and what follows from it, until nobody says anything more.
    func carry(_ output: PartitionOutput, from party: EngineParty) throws {
        var waiting = [(party, output)]
        while !waiting.isEmpty {
            let (speaker, said) = waiting.removeFirst()
            alarms += said.alarms.map(\.text)
            let listener = other(speaker)
            let inputs = inputs(of: said, from: speaker, to: listener)
            guard !inputs.isEmpty else { continue }
            waiting.append((listener, try listener.engine.handle(inputs, at: clock)))
        }
    }

    /// What the words of one partition are to the other.
    func inputs(
        of said: PartitionOutput,
        from speaker: EngineParty,
        to listener: EngineParty
    ) -> [PartitionInput] {
        let messages = said.linkMessages.filter { $0.to == listener.address }.map(\.message)
        if speaker === orders { forth += messages }
        let backward = said.settles.filter { $0.connection == listener.connection(to: speaker) }
        return messages.flatMap { $0.inputs(from: speaker.connection(to: listener)) }
            + backward.flatMap { $0.message.inputs(by: speaker.address) }
    }

    /// Lets a party handle events that came over no link, and carries what follows.
    @discardableResult
    func tell(_ party: EngineParty, _ events: [[UInt8]]) throws -> PartitionOutput {
        let output = try party.engine.handle(events.map(PartitionInput.direct), at: clock)
        try carry(output, from: party)
        return output
    }

    /// Makes Orders send notes to Entitlements and says what it says, without carrying it.
    func send(_ texts: [String], filler: Int? = nil, subject: String = "ada") throws -> PartitionOutput {
        let relay = RelayV1(to: .entitlements, texts: texts, filler: filler)
        return try orders.engine.handle([.direct(event(relay, subject: subject))], at: clock)
    }

    /// Asks a partition; nil when the one who asks must wait.
    func ask<Question: RequestContract>(
        _ question: Question,
        of party: EngineParty,
        id: String = "q",
        within: Int64 = 10_000
    ) throws -> Result<Question.Reply, RequestRefusal>? {
        let request = try request(question, of: party.address, id: id, within: within)
        let output = try party.engine.handle([request], at: clock)
        let answer = try answer(to: question, in: output, id: id)
        try carry(output, from: party)
        return answer
    }

    /// Why a partition refuses a question; nil when it answers, or lets the one who asks wait.
    func refusal(
        of question: some RequestContract,
        by party: EngineParty,
        id: String = "q"
    ) throws -> RequestRefusal.Code? {
        guard case .failure(let refusal) = try ask(question, of: party, id: id) else { return nil }
        return refusal.code
    }

    func answer<Question: RequestContract>(
        to question: Question,
        in output: PartitionOutput,
        id: String = "q"
    ) throws -> Result<Question.Reply, RequestRefusal>? {
        guard let reply = output.replies.first(where: { $0.message.header.reply?.id == id }) else {
            return nil
        }
        if let refusal = reply.message.header.reply?.refused { return .failure(refusal) }
        let body = try #require(reply.message.body.first)
        return .success(try JSONDecoder().decode(Question.Reply.self, from: Data(body)))
    }

    /// A question to a partition, which is Orders if none is named.
    func request(
        _ question: some RequestContract,
        of address: PartitionAddress? = nil,
        id: String = "q",
        within: Int64 = 10_000
    ) throws -> PartitionInput {
        let (to, event) = (address ?? orders.address, try event(question))
        let connection = Array("edge".utf8)
        return .request(.init(id: id, to: to, within: within, event: event, connection: connection))
    }

    /// The bytes of an event that nothing else has the id of.
    func event(_ body: some Contract, subject: String = "ada") throws -> [UInt8] {
        counted += 1
        let event = Event(
            id: EventID(unchecked: "event-\(counted)"),
            source: "/test",
            time: clock.now,
            subject: subject,
            data: body
        )
        return try EventCoder.encoder().encode(event)
    }

    /// Lets Orders know that the wire to Entitlements was made anew.
    func reconnect() throws {
        let connected = PartitionInput.connected(entitlements.address)
        try carry(orders.engine.handle([connected], at: clock), from: orders)
    }

    /// Lets the clock run to the moment at which a party's first delayed event is due, and tries what is due.
    func retry(_ party: EngineParty) throws {
        let due = try #require(party.engine.state.delayed.values.min())
        advance(max(0, due.milliseconds - clock.now.milliseconds))
        try carry(party.engine.retryDelayed(at: clock), from: party)
    }

    /// A new owner takes a partition, and what it says is carried.
    func takeOver(_ party: EngineParty, store: (any Database)? = nil) throws {
        try carry(party.replace(store: store, at: clock), from: party)
    }
}
