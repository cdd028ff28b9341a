import AppStoreSigning
import Contracts
import Database
import Foundation
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

@Suite struct `one proof in many forms` {
    let group = ReceiptsGroup()
    let receipts: AppReceiptSigner
    let transactions: AppStoreSigner
    let home = ReceiptsGroup.partition(of: Sample.alice)

    init() throws {
        receipts = try AppReceiptSigner()
        transactions = try AppStoreSigner()
        group.reader = AppStoreProofReader(trusting: [receipts.rootDER, transactions.rootDER])
    }

    private func receipt(_ flaw: ReceiptFlaw? = nil) throws -> String {
        var style = ReceiptStyle()
        style.flaw = flaw
        return try receipts.writing(in: style).base64(
            SimulatedReceipt(
                bundleId: Sample.app.rawValue,
                creationDate: Sample.start,
                purchases: [Sample.transaction("1")]
            )
        )
    }

    private static func plist(_ id: String) -> String {
        func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
        let information = base64("{ \"transaction-id\" = \"\(id)\"; }")
        return base64("{ \"signature\" = \"AAAA\"; \"purchase-info\" = \"\(information)\"; }")
    }

    private func states() throws -> [[Value]] {
        try group.rows("SELECT state, reason, transaction_ids FROM submission", partition: home)
    }

    @Test func `is one receipt and one row`() throws {
        let text = try receipt()
        let forms = [
            text, text.replacing("+", with: "-").replacing("/", with: "_"), text.replacing("+", with: " "),
            text.replacing("=", with: ""), String(text.prefix(64) + "\r\n" + text.dropFirst(64)),
        ]
        let ids = try forms.map { try group.submit($0, by: Sample.alice, kind: .appReceipt).outcome.reply }
        #expect(Set(ids.map { $0?.receiptId }).count == 1)
        #expect(try states() == [["verified", .null, "1"]])
    }

    @Test(arguments: ProofKind.allCases)
    func `is read for what it is in whatever field it came`(field: ProofKind) throws {
        let jws = try transactions.sign(transaction: Sample.transaction("2"))
        for (text, verdict, id) in [
            (try receipt(), nil, "1"), (jws, nil, "2"), (Self.plist("3"), Verdict.parked, nil as String?),
        ] {
            let sent = try group.submit(text, by: Sample.alice, kind: field).sent
            let accepted = try #require(try sent.bodies(ReceiptAcceptedV1.self).first)
            #expect(accepted.verdict == verdict)
            #expect(accepted.transactions.first?.transactionId.rawValue == id)
            #expect(accepted.reason == (id == nil ? "unverified" : nil))
        }
        let kinds = try group.rows("SELECT kind FROM submission ORDER BY kind", partition: home)
        #expect(kinds == [["appReceipt"], ["signedTransaction"], ["transactionReceipt"]])
    }

    @Test func `is judged again by its own bytes while it is open, and the better one is kept`() throws {
        let whole = try receipt()
        let bare = try receipt(.withoutIntermediate)
        let first = try group.submit(bare, by: Sample.alice, kind: .appReceipt)
        #expect(try first.sent.bodies(ReceiptAcceptedV1.self).map(\.verdict) == [.parked])
        let second = try group.submit(whole, by: Sample.alice, kind: .appReceipt)
        #expect(second.outcome.reply == first.outcome.reply)
        #expect(try second.sent.bodies(TransactionVerifiedV1.self).count == 1)
        #expect(try states() == [["verified", .null, "1"]])

        let third = try group.submit(bare, by: Sample.alice, kind: .appReceipt)
        #expect(third.outcome.reply == first.outcome.reply)
        #expect(try third.sent.bodies(TransactionVerifiedV1.self).count == 1, "the good one speaks")
        #expect(try states() == [["verified", .null, "1"]])
        #expect(try kept(try #require(first.outcome.reply?.receiptId)).proof.text == whole)
    }

    @Test func `is kept as the one from which nothing was cut, while nobody can tell more`() throws {
        group.reader = AppStoreProofReader(trusting: [])
        let whole = try receipt()
        let bare = try receipt(.withoutIntermediate)
        for (text, kept) in [(bare, bare), (whole, whole), (bare, whole)] {
            let id = try group.submit(text, by: Sample.alice, kind: .appReceipt).outcome.reply?.receiptId
            #expect(try self.kept(try #require(id)).proof.text == kept)
        }
        #expect(try states() == [["parked", "untrusted", ""]])
    }

    @Test func `takes no more room than there is by coming again as a longer text`() throws {
        group.reader = AppStoreProofReader(trusting: [])
        let (whole, bare) = (try receipt(), try receipt(.withoutIntermediate))
        let other = try group.submit(Self.plist("3"), by: Sample.alice, kind: .transactionReceipt)
        let first = try group.submit(bare, by: Sample.alice, kind: .appReceipt).outcome.reply
        let id = try #require(first?.receiptId)
        let bytes = try kept(id).proof.bytes.count
        let size = SubmissionQuota.maximumBytes - bytes
        let taken = try #require(other.outcome.reply?.receiptId)
        try group.execute("UPDATE submission SET size = \(size) WHERE receipt_id = \(taken)", in: home)
        let longer = try group.submit(whole, by: Sample.alice, kind: .appReceipt).outcome
        #expect(longer.refusal?.code == .busy)
        #expect(try kept(id).proof.text == bare)
    }

    @Test func `keeps a certificate chain once, and every proof as it came`() throws {
        let texts = try ["11", "12", "13"].map {
            try transactions.sign(transaction: Sample.transaction($0))
        }
        let ids = try texts.map {
            try #require(try group.submit($0, by: Sample.alice).outcome.reply?.receiptId)
        }
        #expect(try group.rows("SELECT 1 FROM certificate_chain", partition: home).count == 1)
        let sizes = try group.rows("SELECT LENGTH(proof), size FROM submission", partition: home)
        #expect(try sizes.allSatisfy { try $0[0] == $0[1] && Int(storedValue: $0[0]) < 1_500 })
        for (id, text) in zip(ids, texts) { #expect(try kept(id).proof.text == text) }
        let receipt = try receipt()
        let id = try group.submit(receipt, by: Sample.alice, kind: .appReceipt).outcome.reply?.receiptId
        #expect(try kept(try #require(id)).proof.text == receipt)
    }

    @Test func `of a stranger shares no certificates`() throws {
        let stranger = try AppStoreSigner().sign(transaction: Sample.transaction())
        _ = try group.submit(stranger, by: Sample.alice)
        #expect(try states() == [["parked", "untrusted", ""]])
        #expect(try group.rows("SELECT 1 FROM certificate_chain", partition: home).isEmpty)
    }

    @Test func `that is too long is parked, and one that is no payment is kept as it came`() throws {
        let long = "a." + String(repeating: "A", count: 140_000) + "." + String(repeating: "A", count: 86)
        let good = try transactions.sign(transaction: Sample.transaction())
        let bad = good.dropLast(4) + (good.hasSuffix("AAAA") ? "BBBA" : "AAAA")
        let longList = Data(("{" + String(repeating: " ", count: 70_000) + "}").utf8).base64EncodedString()
        for (text, kind, state, reason) in [
            (long, ProofKind.signedTransaction, "parked", "tooLarge"),
            (longList, .transactionReceipt, "parked", "tooLarge"),
            (String(bad), .signedTransaction, "invalid", "badSignature"),
            ("garbage", .appReceipt, "invalid", "malformed"),
        ] {
            let id = try #require(try group.submit(text, by: Sample.bob, kind: kind).outcome.reply?.receiptId)
            let row = "SELECT state, reason FROM submission WHERE receipt_id = '\(id)'"
            #expect(try group.rows(row, of: Sample.bob) == [[.text(state), .text(reason)]])
            let record = try group.submission(id, partition: ReceiptsGroup.partition(of: Sample.bob))
            #expect(record.proof.text == text)
        }
    }

    private func kept(_ id: ReceiptID) throws -> SubmissionRecord {
        try group.submission(id, partition: home)
    }
}
