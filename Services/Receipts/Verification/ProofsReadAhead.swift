import Contracts
import Crypto
import Delivery
import Foundation
import NIOConcurrencyHelpers

/// Reads proofs; large ones before their request's turn, off the partition's thread.
///
/// Results are cached in memory under a digest of the bytes, and the next read of the proof consumes them. Only this
/// process writes the cache; a missing or expired entry only costs a second reading, as after a crash.
final class ProofsReadAhead: ProofReader {
    /// Most transactions in the cache, each proof counting as one more; the oldest go first.
    static let bound = 50_000
    /// Lifetime of an entry, ms: certificates expire.
    static let goodMilliseconds: Int64 = 60_000

    private struct Note {
        let key: [UInt8]
        let contents: Result<ProofContents, ProofFailure>
        let time: Timestamp

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
        let proof = Proof(kind: submission.kind, text: submission.proof, deviceID: submission.deviceId)
        let contents = Result { () throws(ProofFailure) in try reader.contents(of: proof, now: now) }
        let note = Note(key: Self.key(of: proof), contents: contents, time: now)
        notes.withLockedValue { notes in
            notes.removeAll { $0.key == note.key }
            notes.append(note)
            var size = notes.reduce(0) { $0 + $1.size }
            while size > Self.bound, notes.count > 1 { size -= notes.removeFirst().size }
        }
    }

    func contents(of proof: Proof, now: Timestamp) throws(ProofFailure) -> ProofContents {
        guard let note = takeNote(of: proof), Self.isGood(note, at: now) else {
            return try reader.contents(of: proof, now: now)
        }
        return try note.contents.get()
    }

    private func takeNote(of proof: Proof) -> Note? {
        guard notes.withLockedValue({ !$0.isEmpty }) else { return nil }
        let key = Self.key(of: proof)
        return notes.withLockedValue { notes in
            notes.firstIndex { $0.key == key }.map { notes.remove(at: $0) }
        }
    }

    private static func isGood(_ note: Note, at now: Timestamp) -> Bool {
        note.time <= now && now <= note.time.advanced(by: goodMilliseconds)
    }

    private static func key(of proof: Proof) -> [UInt8] {
        var hash = SHA256()
        for part in [proof.kind.rawValue, proof.deviceID ?? "", proof.text] {
            let bytes = Array(part.utf8)
            hash.update(data: withUnsafeBytes(of: bytes.count.littleEndian) { Data($0) })
            hash.update(data: bytes)
        }
        return Array(hash.finalize())
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
            let type = try event.decode(String.self, forKey: .type)
            guard type == ReceiptSubmitV1.type.rawValue else {
                body = nil
                return
            }
            body = try event.decode(ReceiptSubmitV1.self, forKey: .data)
        }
    }
}
