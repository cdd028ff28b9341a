package import Contracts
import Crypto
import Foundation

/// Signs transactions as Apple does, with a root certificate of its own.
///
/// A verifier accepts them only where that root was added to those it trusts.
package struct AppStoreSigner: Sendable {
    private let chain: SigningChain
    private let key: P256.Signing.PrivateKey
    /// Apple's header, which is the same for all.
    private let header: String

    /// A signer with a new chain that is kept nowhere, faultless unless a flaw is asked for.
    ///
    /// Where an address is given in `ocsp`, the certificates `namedBy` name it as their OCSP responder.
    package init(
        flaw: ChainFlaw? = nil,
        ocsp: String? = nil,
        namedBy: [OCSPSubject] = OCSPSubject.allCases
    ) throws {
        try self.init(SigningChain.make(flaws: Set([flaw].compactMap(\.self)), ocsp: ocsp, namedBy: namedBy))
    }

    /// A signer with a new chain that has all these flaws, and is kept nowhere.
    package init(flaws: [ChainFlaw]) throws { try self.init(SigningChain.make(flaws: Set(flaws))) }

    /// The signer kept in `stateFolder`, made there first if need be; several processes may ask at once.
    ///
    /// Its certificates name the OCSP responder at `ocsp`, where one is given.
    package init(stateFolder: String, ocsp: String? = nil) throws {
        try self.init(SigningState(folder: stateFolder).chain(ocsp: ocsp))
    }

    /// What answers by OCSP for the certificates; nil where they name no responder.
    package func responder() throws -> OCSPResponder? { try OCSPResponder(chain) }

    init(_ chain: SigningChain) throws {
        try self.init(chain, key: P256.Signing.PrivateKey(rawRepresentation: chain.key), leaf: chain.leaf)
    }

    private init(_ chain: SigningChain, key: P256.Signing.PrivateKey, leaf: Data) {
        self.chain = chain
        self.key = key
        header = Data(Self.header(x5c: [leaf, chain.intermediate, chain.root].map(Array.init))).base64URL
    }

    /// A signer whose certificates are in order and whose signatures are not: its key is a stranger's.
    package func forging() -> AppStoreSigner {
        AppStoreSigner(chain, key: P256.Signing.PrivateKey(), leaf: chain.leaf)
    }

    /// A signer of the same root and key whose leaf certificate expired with the year 2021.
    package func expired() -> AppStoreSigner { AppStoreSigner(chain, key: key, leaf: chain.expiredLeaf) }

    /// The raw signature of bytes that are no JWS.
    package func signature(of bytes: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: bytes).rawRepresentation)
    }

    /// Whether `signature` is this signer's own of `bytes`.
    package func made(signature: [UInt8], of bytes: [UInt8]) -> Bool {
        do {
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: signature)
            return key.publicKey.isValidSignature(signature, for: bytes)
        } catch {
            return false
        }
    }

    package var rootDER: [UInt8] { Array(chain.root) }

    /// The DER of leaf, intermediate and root.
    package var certificates: [[UInt8]] { [chain.leaf, chain.intermediate, chain.root].map(Array.init) }

    /// The transaction as a JWS in compact form, as StoreKit hands it to an app.
    package func sign(transaction: SignedTransaction) throws -> String {
        try sign(payload: Array(JSONEncoder().encode(transaction)))
    }

    /// Any payload as a JWS in compact form.
    package func sign(payload: [UInt8]) throws -> String { try sign(payload: payload, under: header) }

    /// Any payload under a header of the caller's own making, such as one without certificates.
    package func sign(payload: [UInt8], header: [UInt8]) throws -> String {
        try sign(payload: payload, under: Data(header).base64URL)
    }

    /// Apple's header for these certificates, as JSON.
    package static func header(x5c certificates: [[UInt8]]) -> [UInt8] {
        let quoted = certificates.map { "\"\(Data($0).base64EncodedString())\"" }.joined(separator: ",")
        return Array(#"{"alg":"ES256","x5c":[\#(quoted)]}"#.utf8)
    }

    private func sign(payload: [UInt8], under header: String) throws -> String {
        var jws = header
        jws.reserveCapacity(header.utf8.count + payload.count * 4 / 3 + 96)
        jws += "."
        jws += Data(payload).base64URL
        let signature = try key.signature(for: Data(jws.utf8))
        jws += "."
        jws += signature.rawRepresentation.base64URL
        return jws
    }
}
