import Contracts
import TestKit
import Testing

@testable import Orders

@Suite struct `the rules around orders` {
    @Test(arguments: [
        (-1, RequestRefusal.quantity), (0, .quantity), (1, nil), (10, nil), (11, .quantity),
    ])
    func `an order asks for 1 to 10`(quantity: Int, refusal: RequestRefusal?) {
        #expect(Self.check(.request(quantity: quantity)) == refusal)
    }

    @Test func `text without end and with control characters is refused by name`() {
        #expect(Self.check(.request(reference: String(repeating: "r", count: 256))) == .reference)
        #expect(Self.check(.request(reference: "line\nfeed")) == .reference)
        #expect(Self.check(.request(key: "")) == .idempotencyKey)
        #expect(Self.check(.request(environment: Environment(rawValue: ""))) == .environment)
        #expect(Self.check(.request(), metadataBytes: 2_048) == nil)
        #expect(Self.check(.request(), metadataBytes: 2_049) == .metadata)
    }

    private static func check(_ request: OrderIssueV1, metadataBytes: Int = 0) -> RequestRefusal? {
        do throws(RequestRefusal) {
            try OrderIssue.check(request, metadataBytes: metadataBytes)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        (RequestRefusal.noSuchOrder, RequestRefusal.Code.notFound, nil as String?),
        (.orderIsPaid, .conflict, nil),
        (.quantity, .invalid, "quantity"), (.environment, .invalid, "environment"),
        (.reference, .invalid, "reference"), (.referenceTaken, .conflict, "reference"),
        (.metadata, .invalid, "metadata"), (.idempotencyKey, .invalid, "Idempotency-Key"),
        (.keyReused, .conflict, "Idempotency-Key"), (.tokenIsNoUUID, .invalid, "appAccountToken"),
        (.tokenIsOrder, .invalid, "appAccountToken"), (.tokenTaken, .conflict, "appAccountToken"),
    ])
    func `a refusal says what kind it is, and which member is wrong`(
        refusal: RequestRefusal,
        code: RequestRefusal.Code,
        field: String?
    ) {
        #expect(refusal.code == code && refusal.field == field)
    }

    @Test(arguments: [
        ("F47AC10B-58CC-4372-A567-0E02B2C3D479", "f47ac10b-58cc-4372-a567-0e02b2c3d479"),
        ("f47ac10b-58cc-4372-a567-0e02b2c3d479", "f47ac10b-58cc-4372-a567-0e02b2c3d479"),
        ("f47ac10b58cc4372a5670e02b2c3d479", nil),
        ("g47ac10b-58cc-4372-a567-0e02b2c3d479", nil),
        ("f47ac10b-58cc-4372-a567-0e02b2c3d4799", nil),
        ("f47ac10b-58cc-4372-a567-0e02b2c3d479-", nil),
        ("", nil),
    ])
    func `a token is a UUID in any case`(text: String, token: String?) {
        #expect(AccountToken(rawValue: text)?.rawValue == token)
    }

    @Test func `a token belongs to the first who registered it`() throws {
        #expect(try TokenRegistration.judge(.ada, owner: nil, order: nil) == .applied)
        #expect(try TokenRegistration.judge(.ada, owner: .ada, order: nil) == .repeated)
        #expect(throws: RequestRefusal.tokenTaken) {
            try TokenRegistration.judge(.eve, owner: .ada, order: nil)
        }
        let order = `an order`.order(.issued, .none)
        for owner in [nil, BuyerID.ada, .eve] {
            #expect(throws: RequestRefusal.tokenIsOrder) {
                try TokenRegistration.judge(.ada, owner: owner, order: order)
            }
        }
    }

    @Test func `the ledger hears of a submission only if the holder submitted it`() {
        let order = `an order`.order(.issued, .none)
        let facts = TransactionFacts.bought()
        let stranger = BuyerID.eve
        for (submitter, passed) in [(order.buyerID, true), (stranger, false)] {
            let submission = Submission.submission(by: submitter)
            let update = TransactionUpdatedV1(
                transaction: facts,
                buyerId: order.buyerID,
                orderId: order.id,
                submission: submission
            )
            for report in PurchaseReportedV1.reports(order, transaction: facts, submission: submission)
                + PurchaseReportedV1.reports(update, paying: order)
            {
                #expect((report.submission == submission) == passed)
                #expect(report.buyerId == order.buyerID && report.order == order.terms)
            }
        }
    }
}
