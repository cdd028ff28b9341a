/// What was measured of the verification of a signed text, beside bare signatures of as many bytes.
struct SignatureRates: Encodable {
    /// Verifications a second on one core, the chain known: the normal case.
    let verificationsPerSecond: Double
    /// Milliseconds for one whose chain was not met before.
    let coldChainMs: Double
    /// Bare P-256 signatures of the same bytes that this core verifies in a second, in the same run.
    let signaturesPerSecond: Double
    /// verificationsPerSecond to signaturesPerSecond.
    let ratio: Double
    /// Bytes of one text; a `signedPayload` of Apple's has 18,600 to 18,800.
    let bytes: Int

    /// Measures the signatures for so many seconds on the calling thread.
    init(_ rate: VerificationRate, bytes: Int, seconds: Double) throws {
        let bare = try MachineLimits.signaturesPerSecond(bytes: bytes, seconds: seconds)
        verificationsPerSecond = rate.perSecond.rounded()
        coldChainMs = rate.coldMilliseconds
        signaturesPerSecond = bare.rounded()
        ratio = (rate.perSecond / bare * 1_000).rounded() / 1_000
        self.bytes = bytes
    }
}
