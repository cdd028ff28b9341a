/// How a receipt is signed and written, and what is wrong with it on purpose.
package struct ReceiptStyle: Hashable, Sendable {
    /// A hash function under an RSA signature.
    package enum Digest: String, CaseIterable, Sendable { case sha1, sha256 }

    /// Of the receipt's own signature.
    package var digest = Digest.sha256
    package var chainDigest = Digest.sha256
    /// Whether what is signed are attributes that name the content's digest; Apple signs the content itself.
    package var signsAttributes = false
    /// Lengths left open, and the content in parts, as Xcode writes it.
    package var isIndefinite = false
    /// The content within an octet string of its own.
    package var isDouble = false
    package var flaw: ReceiptFlaw?

    /// Apple's way since 2023; change what should be otherwise.
    package init() {}

    package init(flaw: ReceiptFlaw) { self.flaw = flaw }
}

/// One deliberate fault of a receipt that is otherwise in order, for tests of whoever verifies it.
package enum ReceiptFlaw: String, CaseIterable, Sendable {
    /// As in `ChainFlaw`.
    case unmarkedLeaf, unmarkedIntermediate, expiredLeaf, expiredIntermediate, forgedLeaf, forgedIntermediate
    case leafWithoutDigitalSignature
    case withoutLeaf, withoutIntermediate, withoutRoot
    /// The only certificate is one that issued itself, as Xcode's.
    case selfSigned
    /// The signer named is the intermediate, whose key did not sign.
    case otherSigner
    case forgedSignature
    case tamperedContent
    /// SHA-512, which Apple's receipts do not use.
    case unknownDigest
    case withoutSigner, twoSigners
}
