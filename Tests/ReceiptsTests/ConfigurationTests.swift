import Contracts
import Program
import ReceiptsCore
import Testing

@testable import Receipts

@Suite struct `the configuration of Receipts` {
    @Test func `takes each app's environments and sandbox policy`() throws {
        let json = """
            {"apps":[
              {"bundleId":"com.example.game","environments":["Sandbox"],"sandbox":{"grantTo":["alice"]},
               "keys":[{"id":"one","secret":"0123456789abcdef"}]},
              {"bundleId":"com.example.other","environments":["Production"],"appAppleId":1,"sandbox":"refuse",
               "keys":[{"id":"two","secret":"0123456789abcdeg"}]}
            ]}
            """
        let configuration = try ReceiptsConfiguration(try Configuration(json: json))
        #expect(
            configuration.policies == [
                Sample.app: AppPolicy(environments: [.sandbox], sandbox: .grantTo([Sample.alice])),
                Sample.otherApp: AppPolicy(
                    appAppleId: 1,
                    environments: [.production],
                    sandbox: .refuse
                ),
            ]
        )
    }
}
