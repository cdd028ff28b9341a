import AppStore
import AppStoreSigning
import Contracts
import Foundation
import Testing

@testable import Receipts

@Suite struct `a proof reader` {
    @Test func `says why there is no transaction`() throws {
        let signer = try AppStoreSigner()
        // A statement of Apple's without a transaction id.
        let jws = try signer.sign(
            payload: Array(#"{"environment":"Sandbox","bundleId":"b","signedDate":1767225600000}"#.utf8)
        )
        let trusting = AppStoreProofReader(trusting: [signer.rootDER])
        expect(.malformed, of: .signedTransaction, "garbage", by: trusting)
        expect(.malformed, of: .signedTransaction, jws, by: trusting)
        expect(.untrusted, of: .signedTransaction, jws, by: AppStoreProofReader(trusting: []))
        expect(.tooLarge, of: .signedTransaction, String(repeating: "A", count: 1 << 20), by: trusting)
        expect(.badSignature, of: .signedTransaction, String(jws.dropLast(8)) + "AAAAAAAA", by: trusting)
    }

    // MARK: Older proofs

    private static func receipt(
        _ ids: [String],
        style: ReceiptStyle = ReceiptStyle()
    ) throws -> (text: String, reader: AppStoreProofReader) {
        let signer = try AppReceiptSigner(style: style)
        let bought = ids.map { Sample.transaction($0, purchased: -Int64($0.utf8.count)) }
        let receipt = SimulatedReceipt(
            bundleId: Sample.app.rawValue,
            creationDate: Sample.start,
            purchases: bought
        )
        return (try signer.base64(receipt), AppStoreProofReader(trusting: [signer.rootDER]))
    }

    @Test func `finds every purchase of an app receipt`() throws {
        let (text, reader) = try Self.receipt(["1", "22", "333"])
        let contents = try reader.contents(of: Proof(kind: .appReceipt, text: text), now: Sample.start)
        let found = contents.transactions
        #expect(contents.applicationVersion == "1.0")
        #expect(contents.signedAt == Sample.start, "not the dates of its purchases")
        #expect(Set(found.map(\.transactionId)) == ["1", "22", "333"])
        #expect(found.allSatisfy { $0.bundleId == Sample.app.rawValue && $0.environment == "Production" })
        let assessment = Sample.assess(contents)
        #expect(assessment.state == .verified)
        #expect(assessment.items.map(\.facts.transactionId.rawValue) == ["333", "22", "1"])
    }

    @Test func `keeps signed data of a shape that it does not know, and throws other bytes away`() throws {
        let (text, reader) = try Self.receipt(["1"])
        let bytes = try #require(ReceiptText.bytes(ofBase64: text))
        for (bytes, failure) in [
            (Array(bytes.dropLast(7)), .unreadable), (bytes + [0], .unreadable),
            (Array(bytes.dropFirst(40)), .malformed), (Array("hello".utf8), .malformed), ([0x30], .malformed),
        ] as [([UInt8], ProofFailure)] {
            expect(failure, of: .appReceipt, Data(bytes).base64EncodedString(), by: reader)
        }
    }

    @Test func `gives each kind of the same text an id of its own`() {
        let ids = ProofKind.allCases.map { kind in
            ReceiptID(bundleID: Sample.app, buyer: Sample.alice, proof: Proof(kind: kind, text: "same"))
        }
        #expect(Set(ids).count == ProofKind.allCases.count)
    }

    @Test func `finds nothing in the app receipt of a buyer who bought nothing, and that is no failure`()
        throws
    {
        let (text, reader) = try Self.receipt([])
        let contents = try reader.contents(of: Proof(kind: .appReceipt, text: text), now: Sample.start)
        let assessment = Sample.assess(contents)
        #expect(assessment.state == .pending)
        #expect(assessment.reason == "emptyReceipt")
        let accepted = assessment.accepted(Sample.byAlice, of: Sample.app)
        #expect(accepted.map(\.verdict) == [.pending])
        #expect(accepted.map(\.reason) == ["emptyReceipt"])
    }

    @Test func `says why an app receipt is not taken`() throws {
        let (text, trusting) = try Self.receipt(["1"])
        let device = "5D5D5D5D-5D5D-5D5D-5D5D-5D5D5D5D5D5D"
        let own = Proof(kind: .appReceipt, text: text, deviceID: device)
        #expect(try trusting.contents(of: own, now: Sample.start).transactions.count == 1)
        let other = "956328D9-CC6A-47F4-BE40-6953FB0AB6C7"
        expect(.wrongDevice, of: .appReceipt, text, device: other, by: trusting)
        expect(.untrusted, of: .appReceipt, text, device: device, by: AppStoreProofReader(trusting: []))
        expect(.malformed, of: .appReceipt, "☃", by: trusting)
    }

    @Test func `cannot tell whether a receipt without a signature is genuine`() throws {
        let reader = AppStoreProofReader(trusting: [])
        let short = AppStoreSigner.transactionReceipt(naming: "33993399")
        expect(.unverified, of: .transactionReceipt, short, by: reader)
        let long = try AppStoreSigner().transactionReceipt(of: Sample.transaction("1", purchased: 0))
        expect(.unverified, of: .transactionReceipt, long, by: reader)
        expect(.malformed, of: .transactionReceipt, "garbage", by: reader)
        expect(.unverified, of: .transactionId, "2000000812345678", by: reader)
        for text in ["", "20000008123456x8", "../1", String(repeating: "1", count: 65)] {
            expect(.malformed, of: .transactionId, text, by: reader)
        }
    }

    @Test func `of a long receipt is told in parts that follow each other`() throws {
        let many = (0..<250).map { Sample.transaction("\(1_000 + $0)", purchased: Int64($0)) }
        let contents = ProofContents(transactions: many)
        let assessment = Sample.assess(contents)
        let parts = assessment.accepted(Sample.byAlice, of: Sample.app)
        #expect(parts.map(\.transactions.count) == [100, 100, 50])
        #expect(parts.map(\.offset) == [nil, 100, 200])
        #expect(parts.map(\.verdict) == [.pending, .pending, nil])
        let ids = parts.flatMap(\.transactions).map(\.transactionId.rawValue)
        #expect(ids == many.map(\.transactionId))
    }

    private func expect(
        _ failure: ProofFailure,
        of kind: ProofKind,
        _ text: String,
        device: String? = nil,
        by reader: AppStoreProofReader,
        at location: SourceLocation = #_sourceLocation
    ) {
        let proof = Proof(kind: kind, text: text, deviceID: device)
        #expect(throws: failure, sourceLocation: location) {
            try reader.contents(of: proof, now: Sample.start).transactions
        }
    }
}
