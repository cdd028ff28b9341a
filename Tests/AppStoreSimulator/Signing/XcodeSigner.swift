import Crypto
import Foundation
import X509

/// Signs as Xcode's StoreKit testing does: one certificate that issued itself, which proves nothing to a server.
enum XcodeSigner {
    /// A payload as a JWS in compact form, under a header as Xcode writes it.
    static func sign(json: String) throws -> String {
        let key = P256.Signing.PrivateKey()
        var form = CertificateForm(subject: "Counterfoil Test StoreKit in Xcode", key: .init(key.publicKey))
        form.issuer = form.subject
        form.algorithm = .ecdsaWithSHA256
        let x5c = try form.signed(by: .init(key)).base64EncodedString()
        let header = #"{"kid":"Apple_Xcode_Key","typ":"JWT","alg":"ES256","x5c":["\#(x5c)"]}"#
        return try AppStoreSigner().sign(payload: Array(json.utf8), header: Array(header.utf8))
    }
}
