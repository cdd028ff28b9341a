import AppStoreSigning
import Testing

@testable import AppStore

@Suite struct `an app receipt of which something is missing or changed` {
    let verifier: AppReceiptVerifier
    let bytes: [UInt8]

    init() throws {
        let signer = try AppReceiptSigner()
        verifier = signer.verifier
        bytes = try signer.sign(`An app receipt of Apple's shape`.receipt())
    }

    @Test func `is malformed wherever it is cut off`() throws { try verifier.expectCutsAreMalformed(bytes) }

    @Test func `says the same with a changed byte, or is refused`() throws {
        try verifier.expectChangedBytesAreRefused(bytes)
    }

    @Test func `is kept for the right device`() throws {
        _ = try verifier.verify(bytes, deviceID: "5D5D5D5D-5D5D-5D5D-5D5D-5D5D5D5D5D5D")
        _ = try verifier.verify(bytes, deviceID: "5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d")
        for other in ["5D5D5D5D-5D5D-5D5D-5D5D-5D5D5D5D5D5E", "F0:18:98:00:00:01", "my phone", ""] {
            #expect(reason { try verifier.verify(bytes, deviceID: other) } == .wrongApp, "\(other)")
        }
    }
}

extension AppReceiptVerifier {
    /// Cuts a genuine receipt off anywhere: it is malformed then.
    func expectCutsAreMalformed(_ bytes: [UInt8]) throws {
        _ = try verify(bytes)
        for count in bytes.indices where reason({ try verify(Array(bytes[..<count])) }) != .malformed {
            Issue.record("taken with \(count) bytes")
        }
    }

    /// Changes bytes of a genuine receipt: it is refused then, or says the same.
    func expectChangedBytesAreRefused(_ bytes: [UInt8]) throws {
        let receipt = try verify(bytes)
        let reasons: Set<VerificationFailure.Reason> = [
            .malformed, .untrusted, .expiredCertificate, .badSignature,
        ]
        let offsets = stride(from: 0, to: bytes.count, by: 5)
        var refused = 0
        for offset in offsets {
            var changed = bytes
            changed[offset] ^= 0x01
            do throws(VerificationFailure) {
                if try verify(changed) != receipt { Issue.record("believed with another byte \(offset)") }
            } catch {
                refused += 1
                if !reasons.contains(error.reason) { Issue.record("\(error) at \(offset)") }
            }
        }
        #expect(refused > offsets.underestimatedCount / 2)
    }
}
