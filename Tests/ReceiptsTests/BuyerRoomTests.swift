import ReceiptsCore
import Testing

@Suite struct `a buyer's room` {
    private static let most = BuyerRoom.maximumCount
    private static let bytes = BuyerRoom.maximumBytes
    private static let full = BuyerRoom.Use(count: most, bytes: 0)
    private static let none = BuyerRoom.Use(count: 0, bytes: 0)

    private func admission(
        _ state: SubmissionReading.State,
        bytes: Int = 10,
        kept: BuyerRoom.Use = full,
        verified: BuyerRoom.Use = none,
        invalid: BuyerRoom.Use = none,
        asking: Int = 0,
        hasNews: Bool = false
    ) -> BuyerRoom.Admission {
        BuyerRoom(kept: kept, verified: verified, invalid: invalid, asking: asking)
            .admit(state, bytes: bytes) { hasNews }
    }

    @Test(arguments: SubmissionReading.State.allCases)
    func `takes whatever fits, to the last place and the last byte`(_ state: SubmissionReading.State) {
        #expect(admission(state, kept: .init(count: Self.most - 1, bytes: Self.bytes - 10)) == .keep)
    }

    @Test(arguments: SubmissionReading.State.allCases)
    func `lets no more in when it is full, unless it is news or takes another's place`(
        _ state: SubmissionReading.State
    ) {
        let expected: BuyerRoom.Admission =
            switch state {
            case .verified: .tellOnly
            case .asking, .parked, .invalid: .refuse
            case .pending: .keep
            }
        #expect(admission(state) == expected)
        #expect(admission(state, kept: .init(count: 1, bytes: Self.bytes - 9)) == expected)
    }

    @Test(arguments: [SubmissionReading.State.verified, .parked])
    func `never refuses a verified proof of a purchase that is not known`(_ state: SubmissionReading.State) {
        for kept in [Self.full, .init(count: 1, bytes: Self.bytes)] {
            #expect(admission(state, kept: kept, hasNews: true) == .keepInPlaceOfInvalid(Self.none))
        }
    }

    @Test(arguments: [SubmissionReading.State.asking, .parked, .invalid])
    func `of what is not verified is not taken up by what is`(_ state: SubmissionReading.State) {
        for use in [Self.full, .init(count: 1, bytes: Self.bytes)] {
            #expect(admission(state, kept: use, verified: use) == .keep)
        }
    }

    @Test(arguments: [SubmissionReading.State.verified, .asking, .parked, .invalid])
    func `is made by the invalid ones, of which no more leave than must`(_ state: SubmissionReading.State) {
        let invalid = BuyerRoom.Use(count: 3, bytes: 100)
        #expect(
            admission(state, invalid: invalid, hasNews: true)
                == .keepInPlaceOfInvalid(.init(count: 1, bytes: 0))
        )
        let kept = BuyerRoom.Use(count: 5, bytes: Self.bytes)
        #expect(
            admission(state, bytes: 60, kept: kept, invalid: invalid)
                == .keepInPlaceOfInvalid(.init(count: 0, bytes: 60))
        )
        let tooLong = admission(state, bytes: 101, kept: kept, invalid: invalid, hasNews: false)
        #expect(tooLong == (state == .verified ? .tellOnly : .refuse))
    }

    @Test func `has a smaller part for what Apple is asked about`() {
        #expect(admission(.asking, kept: Self.none, asking: BuyerRoom.maximumAsking - 1) == .keep)
        #expect(admission(.asking, kept: Self.none, asking: BuyerRoom.maximumAsking) == .refuse)
        #expect(admission(.parked, kept: Self.none, asking: BuyerRoom.maximumAsking) == .keep)
    }
}
