import Testing

@testable import Receipts

@Suite struct `a buyer's quota` {
    private static let most = SubmissionQuota.maximumCount
    private static let bytes = SubmissionQuota.maximumBytes
    private static let full = SubmissionQuota.Usage(count: most, bytes: 0)
    private static let none = SubmissionQuota.Usage(count: 0, bytes: 0)

    private func admission(
        _ state: SubmissionAssessment.State,
        bytes: Int = 10,
        stored: SubmissionQuota.Usage = full,
        verified: SubmissionQuota.Usage = none,
        invalid: SubmissionQuota.Usage = none,
        asking: Int = 0,
        hasNewTransactions: Bool = false
    ) -> SubmissionQuota.Admission {
        SubmissionQuota(total: stored, verified: verified, invalid: invalid, asking: asking)
            .admit(state, bytes: bytes) { hasNewTransactions }
    }

    @Test(arguments: SubmissionAssessment.State.allCases)
    func `takes whatever fits, to the last place and the last byte`(_ state: SubmissionAssessment.State) {
        #expect(admission(state, stored: .init(count: Self.most - 1, bytes: Self.bytes - 10)) == .store)
    }

    @Test(arguments: SubmissionAssessment.State.allCases)
    func `lets no more in when it is full, unless it is new or takes another's place`(
        _ state: SubmissionAssessment.State
    ) {
        let expected: SubmissionQuota.Admission =
            switch state {
            case .verified: .forwardOnly
            case .asking, .parked, .invalid: .refuse
            case .pending: .store
            }
        #expect(admission(state) == expected)
        #expect(admission(state, stored: .init(count: 1, bytes: Self.bytes - 9)) == expected)
    }

    @Test(arguments: [SubmissionAssessment.State.verified, .parked])
    func `never refuses a verified proof of a purchase that is not known`(_ state: SubmissionAssessment.State)
    {
        for stored in [Self.full, .init(count: 1, bytes: Self.bytes)] {
            #expect(admission(state, stored: stored, hasNewTransactions: true) == .replaceInvalid(Self.none))
        }
    }

    @Test(arguments: [SubmissionAssessment.State.asking, .parked, .invalid])
    func `of what is not verified is not taken up by what is`(_ state: SubmissionAssessment.State) {
        for use in [Self.full, .init(count: 1, bytes: Self.bytes)] {
            #expect(admission(state, stored: use, verified: use) == .store)
        }
    }

    @Test(arguments: [SubmissionAssessment.State.verified, .asking, .parked, .invalid])
    func `is made by the invalid ones, of which no more leave than must`(_ state: SubmissionAssessment.State)
    {
        let invalid = SubmissionQuota.Usage(count: 3, bytes: 100)
        let new = admission(state, invalid: invalid, hasNewTransactions: true)
        #expect(new == .replaceInvalid(.init(count: 1, bytes: 0)))
        let stored = SubmissionQuota.Usage(count: 5, bytes: Self.bytes)
        let long = admission(state, bytes: 60, stored: stored, invalid: invalid)
        #expect(long == .replaceInvalid(.init(count: 0, bytes: 60)))
        let tooLong = admission(
            state,
            bytes: 101,
            stored: stored,
            invalid: invalid,
            hasNewTransactions: false
        )
        #expect(tooLong == (state == .verified ? .forwardOnly : .refuse))
    }

    @Test func `has a smaller part for what Apple is asked about`() {
        #expect(admission(.asking, stored: Self.none, asking: SubmissionQuota.maximumAsking - 1) == .store)
        #expect(admission(.asking, stored: Self.none, asking: SubmissionQuota.maximumAsking) == .refuse)
        #expect(admission(.parked, stored: Self.none, asking: SubmissionQuota.maximumAsking) == .store)
    }
}
