import AppStore
import AppStoreSigning
import Contracts
import Foundation
import Glibc

/// The doors through which strangers' bytes come in, each with everything behind it.
///
/// A failure that is thrown is an answer; a crash, a hang or a heap that grows is what is looked for.
enum FuzzTarget: String, CaseIterable, Sendable {
    /// Signed transactions, renewal infos and app transactions.
    case jws
    /// Apple's server notifications.
    case notification
    /// App receipts and iOS 6's transaction receipts.
    case receipt
    /// Any JSON, read by our own decoder and by Foundation's.
    case json

    /// Does with `bytes` what a service does with a stranger's.
    func run(_ bytes: [UInt8], in world: FuzzWorld) {
        switch self {
        case .jws: world.jws(bytes)
        case .notification: world.notification(bytes)
        case .receipt: world.receipt(bytes)
        case .json: world.json(bytes)
        }
    }
}

/// Verifiers, and a signer that they trust, so that mutated payloads get past the signature too.
struct FuzzWorld: Sendable {
    static let now = Timestamp(milliseconds: 1_767_225_600_000)

    private let signer: AppStoreSigner
    private let transactions: TransactionVerifier
    private let statements: SignedDataVerifier
    private let notifications: ServerNotificationVerifier
    private let receipts: AppReceiptVerifier

    /// Trusts `signer` and whatever else is in `roots`.
    init(signer: AppStoreSigner, roots: [[UInt8]]) {
        self.signer = signer
        let roots = roots + [signer.rootDER]
        transactions = TransactionVerifier(extraRoots: roots)
        statements = SignedDataVerifier(extraRoots: roots)
        notifications = ServerNotificationVerifier(extraRoots: roots)
        receipts = AppReceiptVerifier(extraRoots: roots)
    }

    /// The bytes as a JWS, as a payload with a good signature, and as the certificate of a header.
    func jws(_ bytes: [UInt8]) {
        attempt { try transactions.verify(bytes, now: Self.now) }
        attempt { try SignedData(bytes) }
        attempt { SignedProof(String(decoding: bytes, as: UTF8.self)) }
        attempt {
            let jws = Array(try signer.sign(payload: bytes).utf8)
            let data = try SignedData(jws)
            try statements.authenticate(data, now: Self.now)
            _ = try transactions.verify(jws, now: Self.now)
        }
        attempt {
            let chain = [bytes] + signer.certificates.dropFirst()
            let header = AppStoreSigner.header(x5c: chain)
            return try transactions.verify(signer.sign(payload: Self.payload, header: header), now: Self.now)
        }
    }

    /// The bytes as what Apple posts, and as a notification with a good signature.
    func notification(_ bytes: [UInt8]) {
        attempt { try notifications.verify(String(decoding: bytes, as: UTF8.self), now: Self.now) }
        attempt { try notifications.verify(signer.sign(payload: bytes), now: Self.now) }
    }

    /// The bytes as a receipt, and as the content of one of either kind.
    func receipt(_ bytes: [UInt8]) {
        attempt { try receipts.verify(bytes, deviceID: "956328D9-CC6A-47F4-BE40-6953FB0AB6C7") }
        attempt { SignedProof(Data(bytes).base64EncodedString()) }
        for receipt in [bytes, AppReceiptSigner.unsigned(content: bytes)] {
            attempt {
                let receipt = try AppReceipt(unverified: receipt)
                let own = receipt.inApp.allSatisfy { $0.agrees(with: receipt.transaction($0)) }
                return (receipt.transactions, receipt.verifyReceiptFields, own)
            }
        }
        let list = #"{"purchase-info" = "\#(Data(bytes).base64EncodedString())";}"#
        for text in [String(decoding: bytes, as: UTF8.self), Data(list.utf8).base64EncodedString()] {
            attempt { TransactionReceipt.purchase(in: text)?.agrees(with: Self.transaction) }
        }
    }

    /// What our own decoder accepts is what Foundation's makes of the same bytes.
    func json(_ bytes: [UInt8]) {
        compare(JSONValue.self, bytes)
        compare(TransactionFacts.self, bytes)
        compare([OrderV1].self, bytes)
        compare(SignedTransaction.self, bytes)
        compare(EntitlementChangedV1.self, bytes)
    }

    private func compare<Value: Codable & Equatable & DirectlyCoded>(_ type: Value.Type, _ bytes: [UInt8]) {
        let direct = bytes.withUnsafeBufferPointer { EventDecoder.direct(type, from: $0) }
        let plain = EventDecoder().plain(type, from: bytes)
        guard direct != nil || plain != nil else { return }
        do {
            let value = try JSONDecoder().decode(type, from: Data(bytes))
            precondition((direct ?? value, plain ?? value) == (value, value), "one text, two values")
            let general = try EventEncoder().general(value)
            precondition(EventEncoder().direct(value) == general, "one value, two texts")
        } catch {
            preconditionFailure("a text that JSONDecoder refuses: \(error)")
        }
    }

    private static let transaction = SimulatedPurchase(bundleId: "com.example.game", productId: "coins100")
        .transaction(at: now)

    private static let payload = Array(#"{"signedDate":1767225600000}"#.utf8)

    /// What is thrown is an answer like any other; what takes too long is found like a crash.
    private func attempt<Answer>(_ body: () throws -> Answer) {
        let start = Self.processorTime()
        do { _ = try body() } catch {}
        let elapsed = Self.processorTime() - start
        guard elapsed > Self.limit else { return }
        FileHandle.standardError.write(Data("one attempt took \(elapsed) of processor time\n".utf8))
        abort()
    }

    /// For one of up to 128 KiB.
    private static let limit = Duration.milliseconds(200)

    /// Of this thread: what other processes do does not lengthen it.
    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
