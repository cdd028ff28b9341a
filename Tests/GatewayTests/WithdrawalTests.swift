import Contracts
import Domain
import HTTPTypes
import Program
import Testing

@testable import Gateway

@Suite struct `Operators who take a proposal back` {
    @Test(arguments: [(OperatorRole.support, true as Bool?), (.approve, nil)])
    func `need the role that may approve for what is not their own`(
        role: OperatorRole,
        onlyOwn: Bool?
    ) async throws {
        let gateway = TestGateway { _, _ throws(Problem) in throw Problem(.othersProposal) }
        for id in ["m00020123456789abcdef0123456789ab", "c00020123456789abcdef0123456789ab"] {
            let body = #"{"reason":"a mistake"}"#
            let response = try await gateway.act(role, .post, "/proposals/\(id)/reverse", body)
            #expect(response.status == 403 && response["code"] == .string("roleNeeded"), "\(response.text)")
            #expect(response.text.contains("or your own proposal, until it is confirmed"))
        }
        #expect(gateway.caller.requests(ReassignmentWithdrawV1.self).map(\.onlyOwn) == [onlyOwn])
        #expect(gateway.caller.requests(CompensationDecideV1.self).map(\.onlyOwn) == [onlyOwn])
    }
}
