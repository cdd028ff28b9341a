import Contracts
import Foundation
import ReceiptsCore
import Testing

@testable import Receipts

@Suite struct `a proof reader` {
    /// Data that the project reads in place and does not copy.
    static let vectors = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "../shared/vectors/apple-mock")

    /// A statement without a transaction id, under a good signature.
    let jws: String
    let root: [UInt8]

    init() throws {
        let text = try String(
            contentsOf: Self.vectors.appending(path: "jws/transactionInfo"),
            encoding: .utf8
        )
        jws = text.trimmingCharacters(in: .whitespacesAndNewlines)
        root = [UInt8](try Data(contentsOf: Self.vectors.appending(path: "testCA.der")))
    }

    @Test func `says why there is no transaction`() {
        let trusting = AppStoreProofReader(extraRoots: [root])
        expect(.malformed, of: "garbage", by: trusting)
        expect(.malformed, of: jws, by: trusting)
        expect(.untrusted, of: jws, by: AppStoreProofReader(extraRoots: []))
        expect(.tooLarge, of: String(repeating: "A", count: 1 << 20), by: trusting)
        expect(.badSignature, of: String(jws.dropLast(8)) + "AAAAAAAA", by: trusting)
    }

    private func expect(_ failure: ProofFailure, of text: String, by reader: AppStoreProofReader) {
        #expect(throws: failure) {
            try reader.transactions(in: Proof(kind: .signedTransaction, text: text), now: Sample.start)
        }
    }

    @Test func `takes roots in DER and in PEM`() {
        let pem = """
            the test's own
            -----BEGIN CERTIFICATE-----
            \(Data(root).base64EncodedString(options: .lineLength64Characters))
            -----END CERTIFICATE-----

            """
        #expect(RootCertificates.certificates(in: root) == [root])
        #expect(RootCertificates.certificates(in: Array((pem + pem).utf8)) == [root, root])
        #expect(RootCertificates.certificates(in: Array("no certificate".utf8)) == nil)
        #expect(RootCertificates.certificates(in: []) == nil)
    }
}
