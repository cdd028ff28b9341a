/// A form in which a proof of payment can come: in order, or with one thing wrong with it.
///
/// What a correct verifier answers is part of it. Tests hold this project's verifier and Apple's library against it.
package struct SignedForm: Sendable, CustomStringConvertible {
    /// What is signed; the raw values of signed data are the kinds of `counterfoil verify`.
    package enum Kind: String, Encodable, Sendable {
        case transaction, renewalInfo, appTransaction, notification, appReceipt, transactionReceipt
    }

    /// Why a correct verifier refuses it, in the words of `counterfoil verify`.
    package enum Refusal: String, Encodable, Sendable {
        case malformed, unsigned, untrusted, expiredCertificate, badSignature
        /// Genuine or not: nobody but Apple can tell.
        case unverified
    }

    /// A proof of this form.
    package struct Example: Sendable {
        /// A JWS, or a receipt in base64.
        package var proof: String
        /// DER of the root certificate that has to be trusted for it; nil where there is none.
        package var root: [UInt8]?
        /// Of the first transaction that it names, where it is a receipt.
        package var transactionID: String?
    }

    package let name: String
    package let kind: Kind
    /// nil for what is genuine.
    package let refusal: Refusal?
    /// Makes a proof with keys of its own.
    package let example: @Sendable () throws -> Example

    package var description: String { name }

    package static let all = signedData + receipts

    /// The app that all proofs are for, and its number in the App Store.
    package static let bundleID = "com.example.game"
    package static let appAppleID: Int64 = 1_234_567_890
}
