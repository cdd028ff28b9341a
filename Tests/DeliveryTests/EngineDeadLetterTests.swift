import Contracts
import Domain
import Testing

@testable import Delivery

@Suite struct EngineDeadLetterTests {
    private let pair: EnginePair

    init() throws { pair = try EnginePair() }

    /// What the one letter of a partition is called.
    private func letter(_ pair: EnginePair) throws -> DeadLetter {
        let letters = try #require(try pair.ask(DeadLettersListV1(), of: pair.entitlements)).get()
        return try #require(letters.first)
    }

    @Test(arguments: ["no JSON", "[1]", "{}", #"{"type":"test.note.v1","id":"x","subject":"ada"}"#])
    func `what is no event goes to the dead letters with its bytes`(_ text: String) throws {
        try pair.tell(pair.entitlements, [Array(text.utf8), pair.event(NoteV1(text: "1"))])
        #expect(try pair.entitlements.texts() == ["1"])
        let identifier = try letter(pair).letterId
        let found = try #require(try pair.ask(DeadLetterGetV1(letterId: identifier), of: pair.entitlements))
        #expect(try found.get().event == text)
        #expect(try pair.entitlements.count("dead_letter", "unknown_type = 0") == 1)
        #expect(try pair.entitlements.count("dead_letter_audit", "action = 'added'") == 1)
    }

    @Test func `over a link the undecodable is kept in the transaction that advances the link`() throws {
        try pair.carry(pair.send(["1"]), from: pair.orders)
        var frame = try #require(try pair.send(["2"]).linkMessages.first).message
        frame.body = [Array("garbage".utf8)]
        let connection = pair.orders.connection(to: pair.entitlements)
        let output = try pair.entitlements.engine.handle(
            frame.inputs(from: connection),
            at: pair.clock
        )
        try pair.carry(output, from: pair.entitlements)
        #expect(pair.orders.engine.state.depth == 0)
        #expect(try pair.entitlements.count("dead_letter", "source = '/orders/0'") == 1)
        try pair.carry(pair.send(["3"]), from: pair.orders)
        #expect(try pair.entitlements.texts() == ["1", "3"])
    }

    @Test func `an event that its handler dead-letters is kept with the handler's reason`() throws {
        try pair.carry(pair.send(["deadLetter", "2"]), from: pair.orders)
        #expect(try pair.entitlements.texts() == ["2"])
        let letter = try letter(pair)
        #expect(letter.reason == "nobody wants it" && letter.firstReason == letter.reason)
        #expect(letter.attempts == 0)
        #expect(letter.from == pair.orders.address)
        #expect(letter.event == nil, "the list is short")
    }

    @Test func `an event of an unknown type is handled as soon as a program knows it`() throws {
        try pair.tell(pair.entitlements, [pair.event(NoteV2(text: "later"))])
        #expect(try pair.entitlements.count("dead_letter", "unknown_type = 1") == 1)
        try pair.takeOver(pair.entitlements)
        #expect(try pair.entitlements.count("dead_letter") == 1, "the same program knows it no better")
        let later = EnginePair.Entitlements(isLater: true)
        try pair.entitlements.replace(program: later, at: pair.clock)
        _ = try pair.entitlements.engine.retryDelayed(at: pair.clock)
        #expect(try pair.entitlements.texts() == ["later"])
        #expect(try pair.entitlements.count("dead_letter") == 0)
        #expect(try pair.entitlements.decisions("retried", by: "delivery") == 1)
    }

    @Test func `a letter that is retried is handled once, and cannot be retried twice`() throws {
        try pair.entitlements.write("INSERT INTO broken (text) VALUES ('bad')")
        try pair.carry(pair.send(["bad"]), from: pair.orders)
        for _ in 0..<RetryPolicy.attempts {
            pair.advance(RetryPolicy.backoff.longest)
            _ = try pair.entitlements.engine.retryDelayed(at: pair.clock)
        }
        let identifier = try letter(pair).letterId
        try pair.entitlements.write("DELETE FROM broken")
        let retry = DeadLetterRetryV1(letterId: identifier)
        #expect(try #require(try pair.ask(retry, of: pair.entitlements)).get().letterId == identifier)
        #expect(try pair.refusal(of: retry, by: pair.entitlements, id: "again") == .notFound)
        _ = try pair.entitlements.engine.retryDelayed(at: pair.clock)
        #expect(try pair.entitlements.texts() == ["bad"])
        #expect(try pair.entitlements.decisions("retried", by: "operator") == 1)
    }

    @Test func `a letter is discarded once, by name, and the audit remembers`() throws {
        try pair.tell(pair.entitlements, [Array("no JSON".utf8)])
        let identifier = try letter(pair).letterId
        let discard = DeadLetterDiscardV1(letterId: identifier, decidedBy: "ada")
        #expect(try #require(try pair.ask(discard, of: pair.entitlements)).get().letterId == identifier)
        #expect(try pair.refusal(of: discard, by: pair.entitlements, id: "again") == .notFound)
        let get = DeadLetterGetV1(letterId: identifier)
        #expect(try pair.refusal(of: get, by: pair.entitlements, id: "get") == .notFound)
        #expect(try pair.entitlements.decisions("discarded", by: "ada") == 1)
    }

    @Test func `a request that comes as an event is kept`() throws {
        try pair.tell(pair.entitlements, [pair.event(NotesV1(atLeast: 0))])
        #expect(try letter(pair).reason == "a request came as an event")
    }
}
