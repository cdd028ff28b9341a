import Contracts
import Delivery
import Domain

/// `counterfoil.operator.count.v1`: what an operator does to amounts on a day is counted in one place.
struct OnOperatorCount {
    func callAsFunction(
        _ message: Event<OperatorCountV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<OperatorCount> {
        let store = OperatorDayStore(connection: context.connection)
        let (request, day) = (message.data, OperatorDay.day(of: context.now))
        let counted = try store.counted(request, on: day)
        if request.isReturned == true {
            if counted.proposal == request.proposalId { try store.remove(request) }
            let left = try store.counted(request, on: day).count
            return .reply(OperatorCount(day: day, count: left, isNew: false))
        }
        if let known = counted.proposal, known != request.proposalId { return .refused(.changedProposal) }
        let isNew = counted.proposal == nil
        let count = try OperatorDay.count(counted.count, isRepeated: !isNew, limit: request.limit)
        if isNew { try store.count(request, on: day) } else { try store.takeOver(request) }
        return .reply(OperatorCount(day: day, count: count, isNew: isNew))
    }
}
