/// How long one kind of verification takes on the calling thread.
struct VerificationRate {
    private static let coldRounds = 50
    private static let roundsBetweenClockReadings = 16

    /// Verifications a second by one verifier, going round and round the proofs.
    let perSecond: Double
    /// Milliseconds of one verification by a verifier that has met nothing before.
    let coldMilliseconds: Double

    init<Proof, Verifier>(
        of proofs: [Proof],
        seconds: Double,
        by newVerifier: () -> Verifier,
        verify: (Verifier, Proof) throws -> Void
    ) rethrows {
        let clock = ContinuousClock()
        let cold = try clock.measure {
            for round in 0..<Self.coldRounds { try verify(newVerifier(), proofs[round % proofs.count]) }
        }
        coldMilliseconds = cold / .milliseconds(1) / Double(Self.coldRounds)
        let verifier = newVerifier()
        for proof in proofs { try verify(verifier, proof) }
        let start = clock.now
        var verified = 0
        while clock.now - start < .seconds(seconds) {
            for _ in 0..<Self.roundsBetweenClockReadings {
                try verify(verifier, proofs[verified % proofs.count])
                verified += 1
            }
        }
        perSecond = Double(verified) / ((clock.now - start) / .seconds(1))
    }
}
