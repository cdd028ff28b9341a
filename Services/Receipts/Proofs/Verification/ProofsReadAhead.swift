import Contracts
import Delivery
import FoundationEssentials
import NIOConcurrencyHelpers

/// Reads proofs; large ones before their request's turn, off the partition's thread.
///
/// Results are cached in memory beside the text, and the next read of the proof consumes them. Only this process writes
/// the cache; a missing or expired entry only costs a second reading, as after a crash.
final class ProofsReadAhead: ProofReader {
    /// Most transactions in the cache, each proof counting as one more; the oldest go first.
    static let bound = 50_000
    /// Most bytes of texts and proofs in the cache; the oldest go first.
    static let maximumBytes = 128 << 20
    /// Lifetime of an entry, ms: certificates expire.
    static let goodMilliseconds: Int64 = 60_000

    private struct Note {
        /// What the phone calls it.
        let kind: ProofKind
        let text: String
        let proof: Proof
        let contents: Result<ProofContents, ProofFailure>
        let time: Timestamp

        var bytes: Int { text.utf8.count + proof.bytes.count }

        var size: Int {
            switch contents {
            case .success(let contents): 1 + contents.transactions.count
            case .failure: 1
            }
        }
    }

    private let reader: any ProofReader
    /// Oldest first; few, as requests are read only shortly before their turn.
    private let notes = NIOLockedValueBox<[Note]>([])

    init(_ reader: any ProofReader) { self.reader = reader }

    /// Reads the proof of a submission; other requests are ignored.
    func readAhead(_ request: [UInt8], now: Timestamp) {
        guard let submission = Self.submission(request) else { return }
        let proof = reader.proof(of: submission)
        let contents = Result { () throws(ProofFailure) in try reader.contents(of: proof, now: now) }
        let note = Note(
            kind: submission.kind,
            text: submission.proof,
            proof: proof,
            contents: contents,
            time: now
        )
        notes.withLockedValue { notes in
            notes.removeAll { $0.proof == proof || !Self.isGood($0, at: now) }
            notes.append(note)
            var size = notes.reduce(0) { $0 + $1.size }
            var bytes = notes.reduce(0) { $0 + $1.bytes }
            while size > Self.bound || bytes > Self.maximumBytes, notes.count > 1 {
                let oldest = notes.removeFirst()
                size -= oldest.size
                bytes -= oldest.bytes
            }
        }
    }

    func proof(of submission: ReceiptSubmitV1) -> Proof {
        let known = notes.withLockedValue { notes in
            notes.first {
                $0.kind == submission.kind && $0.proof.deviceID == submission.deviceId
                    && $0.text == submission.proof
            }
        }
        return known?.proof ?? reader.proof(of: submission)
    }

    func contents(of proof: Proof, now: Timestamp) throws(ProofFailure) -> ProofContents {
        guard let note = takeNote(of: proof), Self.isGood(note, at: now) else {
            return try reader.contents(of: proof, now: now)
        }
        return try note.contents.get()
    }

    private func takeNote(of proof: Proof) -> Note? {
        notes.withLockedValue { notes in
            notes.firstIndex { $0.proof == proof }.map { notes.remove(at: $0) }
        }
    }

    private static func isGood(_ note: Note, at now: Timestamp) -> Bool {
        note.time <= now && now <= note.time.advanced(by: goodMilliseconds)
    }

    private static func submission(_ request: [UInt8]) -> ReceiptSubmitV1? {
        let direct = EventDecoder().event(from: request) { envelope, json in
            envelope.type == ReceiptSubmitV1.type.rawValue
                ? Event<ReceiptSubmitV1>(envelope, from: &json)?.data : nil
        }
        if let direct { return direct }
        do { return try EventDecoder().decode(Submission.self, from: request).body } catch { return nil }
    }

    private struct Submission: Decodable {
        let body: ReceiptSubmitV1?

        init(from decoder: any Decoder) throws {
            let event = try decoder.container(keyedBy: EventKeys.self)
            let isSubmission = try event.decode(String.self, forKey: .type) == ReceiptSubmitV1.type.rawValue
            body = isSubmission ? try event.decode(ReceiptSubmitV1.self, forKey: .data) : nil
        }
    }
}
