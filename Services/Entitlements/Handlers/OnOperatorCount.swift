import Contracts
import Delivery

/// `counterfoil.operator.count.v1`: what an operator does to amounts on a day is counted in one place.
struct OnOperatorCount {
    func callAsFunction(
        _ message: Event<OperatorCountV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<OperatorCount> {
        let store = CompensationStore(connection: context.connection)
        let (request, day) = (message.data, OperatorDay.day(of: context.now))
        let counted = try store.counted(request, on: day)
        let count = try OperatorDay.count(
            counted.count,
            isRepeated: counted.isRepeated,
            limit: request.limit
        )
        if !counted.isRepeated { try store.count(request, on: day) }
        return .reply(OperatorCount(day: day, count: count))
    }
}
