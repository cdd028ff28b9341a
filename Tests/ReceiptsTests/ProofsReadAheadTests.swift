import Contracts
import Testing

@testable import Receipts

/// Counts how often a proof is read.
private final class CountingReader: ProofReader, @unchecked Sendable {  // used by one test at a time
    private(set) var readings = 0
    private(set) var takenApart = 0

    func proof(of submission: ReceiptSubmitV1) -> Proof {
        takenApart += 1
        return Proof(kind: submission.kind, text: submission.proof, deviceID: submission.deviceId)
    }

    func contents(of proof: Proof, now: Timestamp) throws(ProofFailure) -> ProofContents {
        readings += 1
        guard proof.text.hasPrefix("good") else { throw .badSignature }
        return ProofContents(transactions: [Sample.transaction("1")])
    }
}

@Suite struct `a proof that is read ahead` {
    private let reader = CountingReader()
    private let proofs: ProofsReadAhead

    init() { proofs = ProofsReadAhead(reader) }

    private func request(_ text: String) throws -> [UInt8] { try encoded(submission(text)) }

    private func submission(
        _ text: String,
        device: String? = nil,
        kind: ProofKind = .appReceipt
    ) -> ReceiptSubmitV1 {
        ReceiptSubmitV1(
            bundleId: Sample.app,
            buyerId: Sample.alice,
            kind: kind,
            proof: text,
            deviceId: device
        )
    }

    private func encoded(_ body: some Contract) throws -> [UInt8] {
        let id = EventID(unchecked: "e")
        let event = Event(id: id, source: "/gateway", time: Sample.start, subject: "-", data: body)
        return [UInt8](try EventCoder.encoder().encode(event))
    }

    private func contents(
        _ text: String,
        device: String? = nil,
        kind: ProofKind = .appReceipt,
        after milliseconds: Int64 = 0
    ) throws -> Int {
        let proof = Proof(kind: kind, text: text, deviceID: device)
        let now = Sample.start.advanced(by: milliseconds)
        return try proofs.contents(of: proof, now: now).transactions.count
    }

    @Test func `is not read again in its turn, whether it is good or bad`() throws {
        proofs.readAhead(try request("good"), now: Sample.start)
        proofs.readAhead(try request("bad"), now: Sample.start)
        #expect(reader.readings == 2)
        #expect(try contents("good") == 1)
        #expect(throws: ProofFailure.badSignature) { try contents("bad") }
        #expect(reader.readings == 2)
    }

    @Test func `is read once more by whoever comes next, as by a new owner`() throws {
        proofs.readAhead(try request("good"), now: Sample.start)
        #expect(try contents("good") + contents("good") == 2)
        #expect(reader.readings == 2)
        let proof = Proof(kind: .appReceipt, text: "good")
        let read = try ProofsReadAhead(reader).contents(of: proof, now: Sample.start)
        #expect(read.transactions.count == 1)
        #expect(reader.readings == 3)
    }

    @Test func `says nothing of other bytes, another kind, another device, or another time`() throws {
        for read in [
            { try contents("good ") }, { try contents("good", device: "d") },
            { try contents("good", kind: .signedTransaction) },
            { try contents("good", after: ProofsReadAhead.goodMilliseconds + 1) },
            { try contents("good", after: -1) },
        ] as [() throws -> Int] {
            proofs.readAhead(try request("good"), now: Sample.start)
            let before = reader.readings
            #expect(try read() == 1)
            #expect(reader.readings == before + 1)
        }
    }

    @Test func `is not taken apart again in its turn; another one is`() throws {
        proofs.readAhead(try request("good"), now: Sample.start)
        #expect(proofs.proof(of: submission("good")) == Proof(kind: .appReceipt, text: "good"))
        #expect(reader.takenApart == 1)
        let others = [
            submission("good "), submission("good", device: "d"),
            submission("good", kind: .signedTransaction),
        ]
        for other in others {
            let proof = Proof(kind: other.kind, text: other.proof, deviceID: other.deviceId)
            #expect(proofs.proof(of: other) == proof)
        }
        #expect(reader.takenApart == 4)
    }

    @Test func `does not stay in memory once others have filled it`() throws {
        let texts = ["a", "b", "c"].map { String(repeating: $0, count: ProofsReadAhead.maximumBytes / 4) }
        for text in texts { proofs.readAhead(try request(text), now: Sample.start) }
        for text in texts.reversed() { _ = proofs.proof(of: submission(text)) }
        #expect(reader.takenApart == 4, "the first is taken apart again")
    }

    @Test func `is one of a submission; what else arrives is left for its turn`() throws {
        proofs.readAhead(try encoded(ReceiptRetryV1()), now: Sample.start)
        proofs.readAhead(Array("no JSON".utf8), now: Sample.start)
        #expect(reader.readings == 0)
    }
}
