/// How long one kind of verification takes on the calling thread.
enum VerificationRate {
    private static let coldRounds = 50
    private static let roundsBetweenClockReadings = 16

    /// Verifications a second over `duration`, going round and round the proofs.
    static func perSecond<Proof>(
        of proofs: [Proof],
        for duration: Duration,
        _ verify: (Proof) throws -> Void
    ) rethrows -> Double {
        for proof in proofs { try verify(proof) }
        let clock = ContinuousClock()
        let start = clock.now
        var verified = 0
        while clock.now - start < duration {
            for _ in 0..<roundsBetweenClockReadings {
                try verify(proofs[verified % proofs.count])
                verified += 1
            }
        }
        return Double(verified) / ((clock.now - start) / .seconds(1))
    }

    /// Milliseconds of one verification by a verifier that has met nothing before: `verify` makes it.
    static func coldMilliseconds<Proof>(
        of proofs: [Proof],
        _ verify: (Proof) throws -> Void
    ) rethrows -> Double {
        let elapsed = try ContinuousClock().measure {
            for round in 0..<coldRounds { try verify(proofs[round % proofs.count]) }
        }
        return elapsed / .milliseconds(1) / Double(coldRounds)
    }
}
