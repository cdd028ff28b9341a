import AppStoreSigning
import Contracts
import Foundation
import Testing

@testable import AppStore

@Suite struct `An app receipt of Apple's shape` {
    /// A receipt with one purchase.
    static func receipt(at creationDate: Timestamp = .newYear2026) -> SimulatedReceipt {
        let purchase = SimulatedPurchase(bundleId: PayloadSamples.bundleID, productId: "coins100")
        return .sample([purchase.transaction(at: creationDate)], at: creationDate)
    }

    private func verify(_ style: ReceiptStyle, at creationDate: Timestamp = .newYear2026) throws -> AppReceipt
    {
        let signer = try AppReceiptSigner(style: style)
        return try signer.verifier.verify(signer.sign(Self.receipt(at: creationDate)))
    }

    private static let styles: [ReceiptStyle] = [false, true].flatMap { signsAttributes in
        [(false, false), (true, false), (false, true), (true, true)].flatMap { isIndefinite, isDouble in
            ReceiptStyle.Digest.allCases.map { digest in
                var style = ReceiptStyle()
                style.signsAttributes = signsAttributes
                style.isIndefinite = isIndefinite
                style.isDouble = isDouble
                style.digest = digest
                return style
            }
        }
    }

    @Test(arguments: styles) func `is genuine however it is written and signed`(style: ReceiptStyle) throws {
        let receipt = try verify(style)
        #expect(receipt.bundleId == "com.example.game")
        #expect(receipt.inApp.count == 1)
    }

    @Test(arguments: [ReceiptFlaw.expiredLeaf, .expiredIntermediate])
    func `that was made before a certificate expired is genuine for ever`(flaw: ReceiptFlaw) throws {
        _ = try verify(ReceiptStyle(flaw: flaw), at: .summer2021)
    }

    @Test(arguments: [ReceiptFlaw.forgedSignature, .tamperedContent])
    func `with signed attributes and a flaw is refused for it`(flaw: ReceiptFlaw) {
        var style = ReceiptStyle(flaw: flaw)
        style.signsAttributes = true
        #expect(reason { try verify(style) } == .badSignature)
    }

    @Test func `under certificates with SHA-1 is genuine if it is as old as they`() throws {
        var style = ReceiptStyle()
        style.chainDigest = .sha1
        style.digest = .sha1
        _ = try verify(style, at: .summer2021)
        _ = try verify(style, at: Timestamp(milliseconds: 1_737_763_199_000))
        let nextDay = Timestamp(milliseconds: 1_737_763_201_000)
        #expect(reason { try verify(style, at: nextDay) } == .expiredCertificate)
    }

    @Test func `under certificates with SHA-1 lends them to no signed transaction`() throws {
        var style = ReceiptStyle()
        style.chainDigest = .sha1
        let chain = try AppReceiptSigner(style: style).certificates
        let anchors = TrustAnchors(extraRoots: [chain[2]])
        let failure = failure { try CertificateChain.check(chain, anchors: anchors) }
        #expect(failure?.detail == "the intermediate certificate is signed with a weak or unknown algorithm")
    }

    @Test func `whose root is not known is untrusted`() throws {
        let bytes = try AppReceiptSigner().sign(Self.receipt())
        #expect(reason { try AppReceiptVerifier().verify(bytes) } == .untrusted)
        let other = AppReceiptVerifier(extraRoots: [try AppStoreSigner().rootDER])
        #expect(reason { try other.verify(bytes) } == .untrusted)
    }

    @Test func `that says it is Xcode's is unsigned whoever signed it`() throws {
        let signer = try AppReceiptSigner()
        var receipt = Self.receipt()
        receipt.receiptType = "Xcode"
        let bytes = try signer.sign(receipt)
        #expect(reason { try signer.verifier.verify(bytes) } == .unsigned)
    }

    @Test func `above six mebibytes, eight of base64, is not looked at`() {
        let bytes = [UInt8](repeating: 0x30, count: 6 * 1_024 * 1_024 + 1)
        #expect(reason { try AppReceiptVerifier().verify(bytes) } == .tooLarge)
        #expect(reason { try AppReceiptVerifier().verify(bytes.dropLast()) } == .malformed)
    }

    @Test func `is judged by the time that is asked for`() throws {
        let signer = try AppReceiptSigner(style: ReceiptStyle(flaw: .expiredLeaf))
        let verifier = signer.verifier
        let bytes = try signer.sign(Self.receipt(at: .summer2021))
        _ = try verifier.verify(bytes, at: .summer2021)
        #expect(reason { try verifier.verify(bytes, at: .newYear2026) } == .expiredCertificate)
    }

    @Test func `is held against its own date when the chain is known already`() throws {
        let signer = try AppReceiptSigner(style: ReceiptStyle(flaw: .expiredLeaf))
        let verifier = signer.verifier
        _ = try verifier.verify(signer.sign(Self.receipt(at: .summer2021)))
        let late = try signer.sign(Self.receipt())
        #expect(reason { try verifier.verify(late) } == .expiredCertificate)
    }

    @Test func `does not lend its chain to a forged one`() throws {
        let signer = try AppReceiptSigner()
        let verifier = signer.verifier
        var bytes = try signer.sign(Self.receipt())
        _ = try verifier.verify(bytes)
        bytes[bytes.count - 1] ^= 1
        #expect(reason { try verifier.verify(bytes) } == .badSignature)
    }

    @Test func `with a field that cannot be read is kept, not thrown away`() throws {
        let signer = try AppReceiptSigner()
        let verifier = signer.verifier
        var receipt = Self.receipt()
        receipt.otherFields = [(type: 21, value: [0x16, 0x03, 0x61, 0x62, 0x63])]
        let bytes = try signer.sign(receipt)
        #expect(reason { try verifier.verify(bytes) } == .unreadable)
    }

    @Test func `comes from a simulator under the root of its signed transactions`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "receipt-signer-\(UUID().uuidString)").path()
        let signer = try AppReceiptSigner(stateFolder: folder)
        let root = try AppStoreSigner(stateFolder: folder).rootDER
        #expect(signer.rootDER == root)
        let verifier = AppReceiptVerifier(extraRoots: [root])
        let again = try AppReceiptSigner(stateFolder: folder).sign(Self.receipt())
        _ = try verifier.verify(again)
        try FileManager.default.removeItem(atPath: folder)
    }
}

extension Timestamp {
    /// 2021-06-29T20:53:20Z.
    static let summer2021 = Timestamp(milliseconds: 1_625_000_000_000)
}
