import ArgumentParser
import Contracts
import Program

/// `counterfoil receipts`: what to do with submissions that could not be decided.
struct ReceiptsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipts",
        abstract: "Has parked submissions and notifications and orphaned transactions judged again.",
        subcommands: [Retry.self]
    )

    /// `counterfoil receipts retry`.
    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Judges one submission again, or all that are parked or orphaned."
        )

        @OptionGroup var option: HomeOption

        @Argument(help: "The receipt (default: all).")
        var receipt: String?

        func run() async throws {
            let receiptID = try parsed()
            let answers = try await PartitionInquiry.of(option.home) { inquiry in
                let all = inquiry.addresses(of: [.receipts])
                let own = receiptID.map {
                    PartitionAddress(.receipts, $0.shard.partition(of: inquiry.partitions))
                }
                return await inquiry.askAll(ReceiptRetryV1(receiptId: receiptID), own.map { [$0] } ?? all)
            }
            var (submissions, transactions, notifications, failure) = (0, 0, 0, CommandFailure?.none)
            for answer in answers.values {
                switch answer {
                case .success(let retried):
                    submissions += retried.submissions
                    transactions += retried.transactions
                    notifications += retried.notifications
                case .failure(let problem): failure = problem
                }
            }
            print(
                "judged again: \(submissions) submissions, \(transactions) transactions, "
                    + "\(notifications) notifications"
            )
            if let failure { throw failure }
        }

        private func parsed() throws -> ReceiptID? {
            guard let receipt else { return nil }
            guard let receiptID = ReceiptID(rawValue: receipt) else {
                throw ValidationError("'\(receipt)' is no receipt's id.")
            }
            return receiptID
        }
    }
}
