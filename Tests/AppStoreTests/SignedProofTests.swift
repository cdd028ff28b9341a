import AppStoreSigning
import Contracts
import Foundation
import Testing

@testable import AppStore

@Suite struct `A signed proof` {
    private static let content = SimulatedReceipt(
        bundleId: "com.example.game",
        creationDate: Timestamp(milliseconds: 1_760_000_000_000)
    ).content
    private static let jws = jws(signature: 0x5D)

    /// A JWS with a signature of nobody's.
    private static func jws(
        header: String = #"{"x5c":["A"]}"#,
        payload: String = #"{"a":"??>"}"#,
        signature: UInt8
    ) -> String {
        let parts = [Data(header.utf8), Data(payload.utf8), Data(repeating: signature, count: 64)]
        return parts.map(\.base64URL).joined(separator: ".")
    }

    /// The identity of the proof in a text.
    private func identity(_ text: String) throws -> [UInt8] { try #require(SignedProof(text)).identity }

    private func identity(_ receipt: [UInt8]) throws -> [UInt8] { try identity(base64(receipt)) }

    private func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    @Test func `is the same one in whatever dress its text came`() throws {
        let receipt = base64(try AppReceiptSigner().sign(content: Self.content))
        let forms = [
            receipt.replacing("+", with: "-").replacing("/", with: "_"), receipt.replacing("+", with: " "),
            receipt.replacing("=", with: ""), receipt.prefix(64) + "\r\n" + receipt.dropFirst(64),
        ]
        for form in forms { #expect(SignedProof(String(form)) == SignedProof(receipt)) }

        let jws = Self.jws
        let dressed = [
            jws + "\n", " " + jws, jws.replacing("-", with: "+").replacing("_", with: "/"), jws + "==",
            jws.prefix(10) + "\r\n" + jws.dropFirst(10),
        ]
        #expect(jws.contains("-") || jws.contains("_"))
        for form in dressed { #expect(SignedProof(String(form)) == SignedProof(jws)) }
    }

    @Test func `of PKCS#7 is the same whatever certificates, attributes and lengths stand around it`() throws
    {
        let receipt = try AppReceiptSigner().sign(content: Self.content)
        let whole = try ReceiptDress(receipt)
        #expect(whole.written() == receipt)
        let own = try identity(receipt)
        #expect(try identity(whole.written(certificates: [])) == own)
        #expect(try identity(whole.written(certificates: whole.certificates + whole.certificates)) == own)
        #expect(try identity(whole.written(unsigned: [0x30, 0])) == own)
        #expect(try identity(whole.written(version: 3)) == own)
        #expect(try identity(whole.written(isIndefinite: true)) == own)
    }

    @Test func `is another one when what was signed, or the signature, is another`() throws {
        let signer = try AppReceiptSigner()
        let receipt = try signer.sign(content: Self.content)
        var otherwise = ReceiptStyle()
        otherwise.digest = .sha1
        let others = [
            try signer.sign(content: Self.content + [0]),
            try signer.writing(in: otherwise).sign(content: Self.content),
        ]
        #expect(Set(try (others + [receipt]).map { try identity($0) }).count == 3)
        let texts = [
            Self.jws, Self.jws(header: #"{"x5c":["B"]}"#, signature: 0x5D),
            Self.jws(payload: #"{"a":"?"}"#, signature: 0x5D), Self.jws(signature: 0x5C),
        ]
        #expect(Set(try texts.map { try identity($0) }).count == 4)
    }

    @Test
    func `of StoreKit 2 is the same with either of the two signatures that the key's owner made in one`()
        throws
    {
        let signature = Array(repeating: UInt8(7), count: 32) + Array(repeating: UInt8(9), count: 32)
        // n - s of the second half.
        let other: [UInt8] = [
            0xF6, 0xF6, 0xF6, 0xF5, 0xF6, 0xF6, 0xF6, 0xF7, 0xF6, 0xF6, 0xF6, 0xF6, 0xF6, 0xF6, 0xF6, 0xF6,
            0xB3, 0xDD, 0xF1, 0xA4, 0x9E, 0x0E, 0x95, 0x7B, 0xEA, 0xB0, 0xC1, 0xB9, 0xF3, 0x5A, 0x1C, 0x48,
        ]
        let twin = Array(signature.prefix(32)) + other
        #expect(twin != signature)
        #expect(ES256Signature.lowered(twin) == signature)
        #expect(ES256Signature.lowered(signature) == signature)
    }

    @Test func `of iOS 6 is the same whatever stands beside what was signed`() throws {
        func text(_ information: String, _ signature: String, _ beside: String = "") -> String {
            let information = base64(Array("{ \"transaction-id\" = \"\(information)\"; }".utf8))
            let list =
                "{\n\"signature\" = \"\(signature)\";\n\"purchase-info\" = \"\(information)\";\(beside)\n}"
            return base64(Array(list.utf8))
        }
        let own = try identity(text("1", "AAAA"))
        #expect(try identity(text("1", "AAAA", "\"pod\" = \"17\";")) == own)
        #expect(try identity(text("1", "AA\nAA")) == own)
        #expect(try identity(text("2", "AAAA")) != own)
        #expect(try identity(text("1", "AAAB")) != own)
    }

    @Test(arguments: [
        (#"{"signedDate":1760000000999,"a":1}"#, UInt32(1_760_000_000)), (#"{"a":1,"signedDate":1000}"#, 1),
        (#"{"a":1}"#, 0), (#"{"signedDate":"1000"}"#, 0), (#"{"signedDate":-1000}"#, 0),
        (#"{"signedDate":"#, 0), (#"{"signedDate":4294967295000}"#, .max),
        (#"{"signedDate":4294967296000}"#, .max), (#"{"signedDate":99999999999999999999}"#, 0),
        ("\u{0}\u{1}", 0), (#"{"signedDate": 1000}"#, 0), (#"{"signedDate":2000,"signedDate":1000}"#, 2),
        (#"{"a":"\"signedDate\":1000"}"#, 0),
        (#"{"signedDate":1000,"a":""# + String(repeating: "a", count: 131_072), 0),
    ])
    func `that is a JWS says when it was signed, or 0 where its text does not`(
        payload: String,
        seconds: UInt32
    ) throws {
        let proof = try #require(SignedProof(Self.jws(payload: payload, signature: 1)))
        #expect(proof.signedSeconds == seconds)
    }

    @Test func `that cannot be taken apart is known by its bytes, and what says nothing is none`() throws {
        let receipt = try AppReceiptSigner().sign(content: Self.content)
        let broken = try #require(SignedProof(base64(Array(receipt.dropLast(7)))))
        #expect(broken.kind == .appReceipt)
        #expect(broken.certificates.isEmpty)
        #expect(try identity(Array(receipt.dropLast(8))) != broken.identity)
        for text in ["", "garbage", "☃", "a.b", "a.b.c.d", base64(Array("hello".utf8))] {
            #expect(SignedProof(text) == nil, "\(text)")
        }
    }

    @Test func `says where its certificates lie`() throws {
        let receipt = try AppReceiptSigner().sign(content: Self.content)
        let proof = try #require(SignedProof(base64(receipt)))
        let certificates = try ReceiptDress(receipt).certificates
        #expect(Array(proof.bytes[proof.certificates]) == certificates)
        let jws = try #require(SignedProof(Self.jws))
        #expect(jws.bytes[jws.certificates].elementsEqual(Self.jws.split(separator: ".")[0].utf8))
    }
}

/// A receipt in its parts, to be written again with other things around what was signed.
private struct ReceiptDress {
    private let digests: [UInt8]
    private let content: [UInt8]
    let certificates: [UInt8]
    private let signer: [UInt8]

    init(_ receipt: [UInt8]) throws {
        var outer = BERReader(receipt[...])
        var information = try outer.next(.sequence).reader
        _ = try information.next(.objectIdentifier)
        var explicit = try information.next(.context(0)).reader
        var data = try explicit.next(.sequence).reader
        _ = try data.next(.integer)
        digests = Array(try data.next(.set).encoding)
        content = Array(try data.next(.sequence).encoding)
        certificates = Array(try data.next(.context(0)).contents)
        var signers = try data.next(.set).reader
        signer = Array(try signers.next(.sequence).contents)
    }

    /// The receipt with these certificates, and a field beside the signature that nobody signed.
    func written(
        version: UInt8 = 1,
        certificates: [UInt8]? = nil,
        unsigned: [UInt8] = [],
        isIndefinite: Bool = false
    ) -> [UInt8] {
        let signer = unsigned.isEmpty ? self.signer : self.signer + BER.value(0xA1, unsigned)
        let certificates = certificates ?? self.certificates
        let list = certificates.isEmpty ? [] : BER.value(0xA0, certificates)
        let signers = BER.value(0x31, BER.value(0x30, signer))
        let data = [0x02, 0x01, version] + digests + content + list + signers
        let identifier = BER.value(0x06, Array(CMSIdentifier.signedData.contents))
        let explicit = BER.value(0xA0, BER.value(0x30, data))
        return isIndefinite
            ? [0x30, 0x80] + identifier + explicit + [0, 0] : BER.value(0x30, identifier + explicit)
    }
}
