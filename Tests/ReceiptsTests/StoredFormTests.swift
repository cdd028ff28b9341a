import Contracts
import Delivery
import TestKit
import Testing

@testable import Receipts

/// From version 0.1 on these texts never change: rows of former versions hold them.
@Suite struct `What Receipts stores as JSON` {
    private static let now = Sample.start

    private func expect<Value: Codable & Equatable>(_ value: Value, _ text: String) throws {
        let written = try JSONColumn.text(value)
        #expect(written == text)
        #expect(try JSONColumn.value(of: text) as Value == value)
    }

    /// A query that Apple has answered with a doubt, if it is about a proof, and then not at all.
    private static func query(_ subject: AppleQuery.Subject) -> AppleQuery {
        var query = AppleQuery(subject, of: Sample.app, to: .serverAPI, urgency: .awaited, askedAt: now)
        for result in [AppleJobResult(.doubted), AppleJobResult(.unavailable, problem: "busy")] {
            _ = query.apply(result, now: now, apis: [.serverAPI], random: 0)
        }
        return query
    }

    private static func text(_ subject: String, answered count: Int) -> String {
        #"{"subject":\#(subject),"bundleID":"com.example.game","api":"serverAPI","urgency":1,"#
            + #""askedAt":1760000000000,"dueAt":1760000000500,"#
            + #""attempts":\#(count),"refusals":\#(count),"failures":1,"problem":"busy","wentUnanswered":true}"#
    }

    @Test func `is a query to Apple, whatever it is about`() throws {
        let receipt = Sample.receipt(1)
        try expect(
            Self.query(.proof(receipt)),
            Self.text(#"{"proof":{"_0":"\#(receipt)"}}"#, answered: 1)
        )
        try expect(
            Self.query(.evidence(receipt, Sample.alice, .production)),
            Self.text(#"{"evidence":{"_0":"\#(receipt)","_1":"alice","_2":"Production"}}"#, answered: 0)
        )
        let transaction = TransactionID(unchecked: "1000")
        var history = HistoryQuery(environment: .production, transactionId: transaction, since: Self.now)
        history.page = "p2"
        let members = #""environment":"Production","transactionId":"1000","since":1760000000000,"page":"p2""#
        try expect(
            Self.query(.history(history)),
            Self.text(#"{"history":{"_0":{\#(members)}}}"#, answered: 0)
        )
    }

    @Test func `is a cursor with the page that it reads`() throws {
        var cursor = HistoryCursor(beginningAt: Self.now)
        let span = HistoryCursor.Span(from: Self.now, to: Self.now.advanced(by: 1_000), onlyFailures: true)
        _ = cursor.apply(.found(next: "p2"), of: span, now: Self.now, random: 0)
        let times = #""readUntil":1760000000000,"readAt":1760000000000,"dueAt":1760000000000"#
        let read = #"{"from":1760000000000,"to":1760000001000,"onlyFailures":true,"page":"p2"}"#
        try expect(cursor, #"{\#(times),"failures":0,"span":\#(read)}"#)
    }

    @Test func `is a list of lookups without an answer`() throws {
        let text = #"[{"partition":0,"attempt":5},{"partition":1,"attempt":6}]"#
        try expect([PendingLookup(partition: 0, attempt: 5), PendingLookup(partition: 1, attempt: 6)], text)
    }

    @Test func `is the contents of a proof, which are written and read directly`() throws {
        let contents = ProofContents(
            transactions: [Sample.transaction("1")],
            signedAt: Sample.start,
            unreadable: 1,
            appAppleId: 5,
            applicationVersion: "2.3.1"
        )
        #expect(try faultOfDirectForm(of: contents) == nil)
    }
}
