import Crypto
import Foundation
import X509

/// Signs as Xcode's StoreKit testing does: one certificate that issued itself, which proves nothing to a server.
package struct XcodeSigner: Sendable {
    private let signer: AppStoreSigner
    private let certificate: [UInt8]

    package init() throws {
        let key = P256.Signing.PrivateKey()
        var form = CertificateForm(subject: "Counterfoil Test StoreKit in Xcode", key: .init(key.publicKey))
        form.issuer = form.subject
        form.algorithm = .ecdsaWithSHA256
        certificate = Array(try form.signed(by: .init(key)))
        signer = try AppStoreSigner()
    }

    /// A payload as a JWS in compact form, under a header as Xcode writes it.
    package func sign(json: String) throws -> String {
        let x5c = Data(certificate).base64EncodedString()
        let header = #"{"kid":"Apple_Xcode_Key","typ":"JWT","alg":"ES256","x5c":["\#(x5c)"]}"#
        return try signer.sign(payload: Array(json.utf8), header: Array(header.utf8))
    }
}
