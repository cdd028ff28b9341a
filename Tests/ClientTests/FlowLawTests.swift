import Testing

@testable import CounterfoilClient

/// Hundreds of random lives of a phone under the laws, and phones that are broken on purpose.
@Suite struct `The flow's laws` {
    private static let seeds: Range<UInt64> = 0..<200

    private static func lives(of variant: FlowVariant) -> [SimulatedPhone] {
        seeds.map { seed in
            var phone = SimulatedPhone(seed: seed, variant: variant)
            phone.live()
            return phone
        }
    }

    @Test func `No phone breaks a law, whatever dies and whatever is answered`() {
        let phones = Self.lives(of: .asItIs)
        for (seed, phone) in zip(Self.seeds, phones) where !phone.broken.isEmpty {
            Issue.record("seed \(seed) breaks \(phone.broken.map(\.rawValue).sorted())")
        }
        #expect(phones.reduce(0) { $0 + $1.deaths } > 1_000)
        #expect(phones.reduce(0) { $0 + $1.sends } > 3_000)
    }

    @Test(arguments: FlowVariant.allCases.filter { $0 != .asItIs })
    func `A phone that is broken on purpose breaks its own law`(variant: FlowVariant) throws {
        let law = try #require(variant.broken)
        let isBroken = Self.seeds.contains { seed in
            var phone = SimulatedPhone(seed: seed, variant: variant)
            phone.live()
            return phone.broken.contains(law)
        }
        #expect(isBroken, "\(variant) does not break \(law.rawValue)")
    }

    @Test func `Every law has a phone that breaks it`() {
        #expect(Set(FlowVariant.allCases.compactMap(\.broken)) == Set(FlowLaw.allCases))
    }
}
