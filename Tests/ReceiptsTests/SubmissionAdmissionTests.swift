import Contracts
import Testing

@testable import Receipts

@Suite struct `the admission of a submission` {
    private static let one = Sample.assess(ProofContents(transactions: [Sample.transaction("1")]))
    private static let two = Sample.assess(
        ProofContents(transactions: [Sample.transaction("1"), Sample.transaction("2")])
    )
    private static let chain = TransactionID(unchecked: "1")
    private static let invalid = SubmissionQuota.Usage(count: 1, bytes: 7)

    private static func admit(
        _ assessment: SubmissionAssessment = one,
        beside claim: TransactionID? = nil,
        isNew: Bool = true,
        isSentAnew: Bool = false,
        waiting: Int = 0,
        quota: SubmissionQuota.Admission = .store
    ) -> SubmissionAdmission {
        SubmissionAdmission(
            assessment,
            beside: claim,
            isNew: isNew,
            isSentAnew: isSentAnew,
            waitingParts: { waiting },
            quota: { quota }
        )
    }

    @Test func `beside a claim is for its one transaction alone`() {
        #expect(Self.one.state == .verified)
        #expect(Self.admit(beside: Self.chain) == .store(deleting: nil))
        #expect(Self.admit(beside: TransactionID(unchecked: "2")) == .askBuyersPartition)
        #expect(Self.admit(Self.two, beside: Self.chain) == .askBuyersPartition)
        #expect(Self.admit(SubmissionAssessment(.unreadable), beside: Self.chain) == .askBuyersPartition)
        #expect(Self.admit(Self.two) == .store(deleting: nil))
    }

    @Test func `is refused while too many long ones wait, unless it is not sent anew`() {
        let full = SubmissionPart.maximumWaiting
        #expect(Self.admit(isSentAnew: true, waiting: full) == .refuse(.tooManyParts))
        #expect(Self.admit(isSentAnew: true, waiting: full - 1) == .store(deleting: nil))
        #expect(Self.admit(waiting: full) == .store(deleting: nil))
        #expect(Self.admit(isNew: false, isSentAnew: true, waiting: full) == .refuse(.tooManyParts))
    }

    @Test func `goes by the buyer's space`() {
        #expect(Self.admit(quota: .replaceInvalid(Self.invalid)) == .store(deleting: Self.invalid))
        #expect(Self.admit(quota: .forwardOnly) == .forward)
        #expect(Self.admit(quota: .refuse) == .refuse(.tooManyStored))
        #expect(Self.admit(SubmissionAssessment(.askingApple), quota: .refuse) == .refuse(.tooManyAsking))
    }

    @Test(arguments: [SubmissionQuota.Admission.forwardOnly, .refuse, .replaceInvalid(invalid)])
    func `does not ask for space for what says nothing new`(quota: SubmissionQuota.Admission) {
        #expect(Self.admit(isNew: false, quota: quota) == .store(deleting: nil))
    }
}
