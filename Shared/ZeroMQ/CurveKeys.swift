import CZeroMQ

/// A public key of CURVE, written as 40 characters of libzmq's Z85.
package struct CurvePublicKey: Hashable, Sendable, LosslessStringConvertible {
    static let byteCount = 32
    fileprivate static let characterCount = 40

    /// 32 of them.
    let bytes: [UInt8]

    /// Parses the form of `description`; nil for other text.
    package init?(_ text: String) {
        guard let bytes = z85Decoded(text) else { return nil }
        self.bytes = bytes
    }

    package var description: String {
        var text = [CChar](repeating: 0, count: Self.characterCount + 1)
        zmq_z85_encode(&text, bytes, bytes.count)
        return z85Text(text)
    }
}

/// A key pair of CURVE; its text is that of the public key alone.
package struct CurveKeyPair: Sendable, CustomStringConvertible {
    package let publicKey: CurvePublicKey
    /// In Z85; never for a log or a terminal.
    package let secret: String
    let secretBytes: [UInt8]

    /// The pair of a secret key in Z85; nil for other text.
    package init?(secret: String) {
        var text = [CChar](repeating: 0, count: CurvePublicKey.characterCount + 1)
        guard let bytes = z85Decoded(secret), zmq_curve_public(&text, secret) == 0,
            let publicKey = CurvePublicKey(z85Text(text))
        else { return nil }
        self.publicKey = publicKey
        self.secret = secret
        secretBytes = bytes
    }

    /// A pair that nobody else has.
    ///
    /// - Throws: `ZeroMQError.callFailed` if this machine's libzmq was built without CURVE.
    package static func make() throws(ZeroMQError) -> CurveKeyPair {
        var publicText = [CChar](repeating: 0, count: CurvePublicKey.characterCount + 1)
        var secretText = publicText
        guard zmq_curve_keypair(&publicText, &secretText) == 0 else { throw .latest("zmq_curve_keypair") }
        guard let pair = CurveKeyPair(secret: z85Text(secretText)) else { throw .latest("zmq_curve_public") }
        return pair
    }

    package var description: String { publicKey.description }
}

/// The bytes of a key; nil for other text.
private func z85Decoded(_ text: String) -> [UInt8]? {
    let count = CurvePublicKey.characterCount
    guard text.utf8.count == count, text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else { return nil }
    var bytes = [UInt8](repeating: 0, count: CurvePublicKey.byteCount)
    return zmq_z85_decode(&bytes, text) == nil ? nil : bytes
}

private func z85Text(_ characters: [CChar]) -> String {
    let bytes = characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
}
