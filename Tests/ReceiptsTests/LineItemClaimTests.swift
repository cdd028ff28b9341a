import Contracts
import Database
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Purchases of the chain 7 that state the line item 70.
@Suite struct `purchases of one line item` {
    private static let day: Int64 = 86_400
    let group = ReceiptsGroup()

    /// A transaction that pays for `days` from a day on.
    private static func period(
        _ id: String,
        from day: Int64,
        days: Int64 = 30,
        lineItem: String = "70",
        signed: Int64 = 0
    ) -> SignedTransaction {
        let type = "Auto-Renewable Subscription"
        let begins = day * Self.day
        var period = Sample.transaction(
            id,
            original: "7",
            type: type,
            signed: begins + signed,
            purchased: begins
        )
        period.expiresDate = period.purchaseDate + days * Self.day * 1_000
        period.webOrderLineItemId = lineItem
        period.inAppOwnershipType = "PURCHASED"
        return period
    }

    private static let first = period("7", from: 0)
    private static let second = period("9", from: 60)

    private var partition: Int { ReceiptsGroup.partition(of: Self.first) }

    private func claims() throws -> [[Value]] {
        try group.rows("SELECT purchase_id FROM claim ORDER BY 1", partition: partition)
    }

    private func names() throws -> [[Value]] {
        try group.rows("SELECT name, purchase_id FROM purchase_alias ORDER BY 1", partition: partition)
    }

    private func verify(_ statements: [SignedTransaction]) throws {
        for signed in statements { #expect(try group.verify(signed).outcome == .applied) }
    }

    @Test(arguments: [([first, second], ["7:70", "9"]), ([second, first], ["7", "7:70"])])
    func `are two where their times are apart, whichever comes first`(
        arriving: [SignedTransaction],
        known: [String]
    ) throws {
        try verify(arriving)
        #expect(try claims() == known.map { [Value.text($0)] })
        #expect(try names() == [[.text(arriving[0].transactionId), "7:70"]])
    }

    /// As proofs state it that have no line item.
    private static func unnamed(_ id: String, from day: Int64) -> SignedTransaction {
        period(id, from: day).with(\.webOrderLineItemId, nil)
    }

    @Test(arguments: [
        [unnamed("7", from: 0), period("8", from: 0)], [period("8", from: 0), unnamed("7", from: 0)],
        [unnamed("8", from: 0), period("9", from: 0)], [unnamed("8", from: 0), unnamed("9", from: 0)],
    ])
    func `are one where a statement without line item begins with the other, whichever comes first`(
        statements: [SignedTransaction]
    ) throws {
        try group.verifyAndHold(statements[0])
        let later = statements[1].with(\.purchaseDate, statements[1].purchaseDate + 999)
        let restated = try group.verify(later, Sample.byBob).sent
        #expect(try restated.candidates.isEmpty)
        #expect(try restated.bodies(ClaimConflictedV1.self).count == 1)
        #expect(try claims().count == 1)
        _ = try group.verify(statements[1], Sample.byBob)
        #expect(try claims().count == 1)
    }

    /// What is stated of one period before a claim of it is made, as their names wait.
    @Test(arguments: [
        [unnamed("8", from: 0), period("9", from: 0)], [period("9", from: 0), unnamed("8", from: 0)],
        [period("9", from: 0), unnamed("7", from: 0)],
    ])
    func `are one, under the id of their names, though no claim is made between two statements`(
        statements: [SignedTransaction]
    ) throws {
        let sent = try statements.flatMap { try group.verifyUnanswered($0, Sample.byAlice) }
        _ = try group.answerAll(sent)
        let claimed = try claims()
        #expect(claimed.count == 1)
        let registered = "SELECT DISTINCT purchase_id FROM name_registration"
        #expect(try group.rows(registered, partition: partition) == claimed)
    }

    @Test func `are one with what began a further purchase without its line item`() throws {
        try verify([Self.first, Self.unnamed("11", from: 60), Self.period("10", from: 60)])
        #expect(try claims() == [["11"], ["7:70"]])
    }

    @Test func `are those that Orders names to a restored store`() throws {
        try verify([Self.period("9", from: 0)])
        _ = try group.recall(Self.unnamed("8", from: 0))
        #expect(try claims() == [["7:70"], ["8"]])
    }

    @Test func `are two where one without line item begins later, is another product or was added to it`()
        throws
    {
        let added = Self.unnamed("11", from: 0).with(\.additionalTransactionReason, "SEAT_ADDITION")
        let other = Self.unnamed("12", from: 0).with(\.productId, "silver")
        try verify([Self.first, Self.unnamed("10", from: 1), added, other])
        #expect(try claims().count == 4)
    }

    @Test func `are proposed each under its own name`() throws {
        let first = try group.verify(Self.first, Sample.byAlice).sent
        _ = try group.hold(Self.first)
        let sent = try first + group.verify(Self.second, Sample.byAlice).sent
        let proposals = try sent.bodies(ClaimProposedV1.self)
        #expect(proposals.map(\.transaction.purchaseId.rawValue) == ["7:70", "9"])
        #expect(proposals.map(\.transaction.transactionId.rawValue) == ["7", "9"])
    }

    @Test func `are one where the second begins before the first ends`() throws {
        try verify([Self.first, Self.period("9", from: 29)])
        #expect(try claims() == [["7:70"]])
    }

    @Test func `are two where the second begins when the first ends`() throws {
        try verify([Self.first, Self.period("9", from: 30)])
        #expect(try claims() == [["7:70"], ["9"]])
    }

    @Test(arguments: [0, -1]) func `are one where either pays for no time`(days: Int64) throws {
        try verify([Self.first, Self.period("9", from: 60, days: days)])
        #expect(try claims() == [["7:70"]])
    }

    /// Under its own id, under another device's, and refunded under either.
    @Test(arguments: ["9", "10"], [false, true])
    func `are restated and refunded by what their times overlap with`(id: String, isRefunded: Bool) throws {
        try verify([Self.first, Self.second])
        var restated = Self.period(id, from: 60, signed: 10)
        if isRefunded { restated.revocationDate = restated.signedDate }
        try verify([restated])
        #expect(try claims() == [["7:70"], ["9"]])
        let rows = try group.rows("SELECT purchase_id, revoked FROM claim ORDER BY 1", partition: partition)
        #expect(rows == [["7:70", .integer(0)], ["9", .integer(isRefunded ? 1 : 0)]])
        let date = "SELECT signed_date FROM claim WHERE purchase_id = '9'"
        let signed = try group.rows(date, partition: partition)
        #expect(signed == [[.integer(restated.signedDate)]])
        #expect(try names().contains(["10", "9"]) == (id == "10"))
    }

    @Test func `are restated under further ids though the second was the chain's first transaction`() throws {
        try verify([Self.second, Self.first, Self.period("8", from: 0, signed: 10)])
        #expect(try claims() == [["7"], ["7:70"]])
        #expect(try names() == [["8", "7"], ["9", "7:70"]])
    }

    @Test func `are told apart from those of another line item`() throws {
        let other = Self.period("11", from: 60, lineItem: "71")
        try verify([Self.first, other, Self.second])
        #expect(try claims() == [["7:70"], ["7:71"], ["9"]])
    }

    @Test func `do not take what was added to a period, which has no line item`() throws {
        var seats = Self.period("12", from: 10, days: 20)
        seats.additionalTransactionReason = "SEAT_ADDITION"
        try verify([seats, Self.first])
        #expect(try claims() == [["12"], ["7:70"]])
        #expect(try names() == [["7", "7:70"]])
    }

    @Test func `leave the line item to others where a receipt repeats an addition without its reason`() throws
    {
        var seats = Self.period("12", from: 10, days: 20)
        seats.additionalTransactionReason = "SEAT_ADDITION"
        try verify([seats, Self.period("12", from: 10, days: 20), Self.first])
        #expect(try claims() == [["12"], ["7:70"]])
        #expect(try names() == [["7", "7:70"]])
    }

    @Test func `are found by what reconciliation has found, without a name`() throws {
        try verify([Self.first, Self.second])
        let found: [(SignedTransaction, String?)] = [
            (Self.period("8", from: 0), "7:70"), (Self.period("10", from: 60), "9"),
            (Self.period("13", from: 100), nil),
        ]
        for (signed, purchase) in found {
            let facts = try #require(TransactionFacts(signed))
            let claim = try group.run(partition) {
                try ClaimStore(connection: $0.connection).claim(of: facts)
            }
            #expect(claim.outcome?.purchaseId.rawValue == purchase)
        }
    }
}
