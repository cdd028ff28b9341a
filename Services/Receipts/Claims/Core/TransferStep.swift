import Contracts

/// One move of a purchase from a login to another.
struct TransferStep: Hashable, Sendable {
    /// Counted per purchase; the first is 1.
    let number: Int
    let from: BuyerID
    let to: BuyerID
    var cause = TransferCause.restore
    /// The order that lost the purchase; nil of a restore, after which the payer's order stays.
    var lost: OrderID?
    /// Who had paid, if that is not `from`: of an operator's decision, that ledger was asked first.
    var payer: BuyerID?
}

extension Claim {
    /// What the ledgers are asked for now, each with whether its answer is known.
    func openSteps(of holder: Holder) -> [(step: TransferStep, isAnswered: Bool)] {
        func step(_ ledger: BuyerID, _ buyer: BuyerID, _ cause: TransferCause) -> TransferStep {
            TransferStep(number: holder.transfers + 1, from: ledger, to: buyer, cause: cause)
        }
        if case .taking(let newcomer, let ledgers) = challenge {
            return newcomer.ledgers(of: holder)
                .map { (step($0, newcomer.buyer, newcomer.cause), !ledgers.contains($0)) }
        }
        return transfer.requester.map { [(step(holder.buyer, $0, .restore), false)] } ?? []
    }
}

extension [TransferStep] {
    /// All of them as they were asked for, answered; what an operator decided was asked of the payer's ledger first.
    var withPayers: [(step: TransferStep, isAnswered: Bool)] {
        flatMap { step in
            let own = step.payer.map {
                TransferStep(number: step.number, from: $0, to: step.to, cause: step.cause)
            }
            return [own, step].compactMap { $0.map { ($0, true) } }
        }
    }
}
