import CZeroMQ

/// A key pair of CURVE; its text is that of the public key alone.
package struct CurveKeyPair: Sendable, CustomStringConvertible {
    package let publicKey: CurvePublicKey
    /// In Z85; never for a log or a terminal.
    package let secret: String
    let secretBytes: [UInt8]

    /// The pair of a secret key in Z85; nil for other text.
    package init?(secret: String) {
        var text = Z85.room
        guard let bytes = Z85.bytes(of: secret), zmq_curve_public(&text, secret) == 0,
            let publicKey = CurvePublicKey(Z85.text(text))
        else { return nil }
        self.publicKey = publicKey
        self.secret = secret
        secretBytes = bytes
    }

    /// A pair that nobody else has.
    ///
    /// - Throws: `ZeroMQError.callFailed` if this machine's libzmq was built without CURVE.
    package static func make() throws(ZeroMQError) -> CurveKeyPair {
        var (publicText, secretText) = (Z85.room, Z85.room)
        guard zmq_curve_keypair(&publicText, &secretText) == 0 else { throw .latest("zmq_curve_keypair") }
        guard let pair = CurveKeyPair(secret: Z85.text(secretText)) else { throw .latest("zmq_curve_public") }
        return pair
    }

    package var description: String { publicKey.description }
}
