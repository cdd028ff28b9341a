import ReceiptsCore
import Testing

@Suite struct `a buyer's room` {
    private static let most = SubmissionQuota.maximumCount
    private static let bytes = SubmissionQuota.maximumBytes
    private static let full = SubmissionQuota.Use(count: most, bytes: 0)
    private static let none = SubmissionQuota.Use(count: 0, bytes: 0)

    private func admission(
        _ state: SubmissionAssessment.State,
        bytes: Int = 10,
        kept: SubmissionQuota.Use = full,
        verified: SubmissionQuota.Use = none,
        invalid: SubmissionQuota.Use = none,
        asking: Int = 0,
        hasNews: Bool = false
    ) -> SubmissionQuota.Admission {
        SubmissionQuota(kept: kept, verified: verified, invalid: invalid, asking: asking)
            .admit(state, bytes: bytes) { hasNews }
    }

    @Test(arguments: SubmissionAssessment.State.allCases)
    func `takes whatever fits, to the last place and the last byte`(_ state: SubmissionAssessment.State) {
        #expect(admission(state, kept: .init(count: Self.most - 1, bytes: Self.bytes - 10)) == .keep)
    }

    @Test(arguments: SubmissionAssessment.State.allCases)
    func `lets no more in when it is full, unless it is news or takes another's place`(
        _ state: SubmissionAssessment.State
    ) {
        let expected: SubmissionQuota.Admission =
            switch state {
            case .verified: .tellOnly
            case .asking, .parked, .invalid: .refuse
            case .pending: .keep
            }
        #expect(admission(state) == expected)
        #expect(admission(state, kept: .init(count: 1, bytes: Self.bytes - 9)) == expected)
    }

    @Test(arguments: [SubmissionAssessment.State.verified, .parked])
    func `never refuses a verified proof of a purchase that is not known`(_ state: SubmissionAssessment.State)
    {
        for kept in [Self.full, .init(count: 1, bytes: Self.bytes)] {
            #expect(admission(state, kept: kept, hasNews: true) == .keepInPlaceOfInvalid(Self.none))
        }
    }

    @Test(arguments: [SubmissionAssessment.State.asking, .parked, .invalid])
    func `of what is not verified is not taken up by what is`(_ state: SubmissionAssessment.State) {
        for use in [Self.full, .init(count: 1, bytes: Self.bytes)] {
            #expect(admission(state, kept: use, verified: use) == .keep)
        }
    }

    @Test(arguments: [SubmissionAssessment.State.verified, .asking, .parked, .invalid])
    func `is made by the invalid ones, of which no more leave than must`(_ state: SubmissionAssessment.State)
    {
        let invalid = SubmissionQuota.Use(count: 3, bytes: 100)
        #expect(
            admission(state, invalid: invalid, hasNews: true)
                == .keepInPlaceOfInvalid(.init(count: 1, bytes: 0))
        )
        let kept = SubmissionQuota.Use(count: 5, bytes: Self.bytes)
        #expect(
            admission(state, bytes: 60, kept: kept, invalid: invalid)
                == .keepInPlaceOfInvalid(.init(count: 0, bytes: 60))
        )
        let tooLong = admission(state, bytes: 101, kept: kept, invalid: invalid, hasNews: false)
        #expect(tooLong == (state == .verified ? .tellOnly : .refuse))
    }

    @Test func `has a smaller part for what Apple is asked about`() {
        #expect(admission(.asking, kept: Self.none, asking: SubmissionQuota.maximumAsking - 1) == .keep)
        #expect(admission(.asking, kept: Self.none, asking: SubmissionQuota.maximumAsking) == .refuse)
        #expect(admission(.parked, kept: Self.none, asking: SubmissionQuota.maximumAsking) == .keep)
    }
}
