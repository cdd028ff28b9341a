/// Plays scenarios to a client, each with a gateway and files of its own.
struct ConformanceRun: Sendable {
    let setting: Stage.Setting

    /// Plays them in turn; tells each result as soon as it is known.
    ///
    /// - Throws: `WrongUse` when the client does not even answer its launch.
    func run(_ scenarios: [Scenario], _ tell: (ScenarioResult) -> Void) throws {
        try greet()
        for scenario in scenarios { tell(try result(of: scenario)) }
    }

    /// Plays one scenario.
    func result(of scenario: Scenario) throws -> ScenarioResult {
        let stage = try Stage(setting)
        do {
            try scenario.play(stage)
            try stage.close()
            return ScenarioResult(name: scenario.name, failure: nil)
        } catch let error as WrongUse {
            try stage.close()
            throw error
        } catch {
            try stage.close()
            return ScenarioResult(name: scenario.name, failure: error)
        }
    }

    /// Sees whether the client speaks the protocol: otherwise every scenario would wait for it in vain.
    private func greet() throws {
        let stage = try Stage(setting)
        do {
            try stage.launch()
            try stage.close()
        } catch let error as PhoneFault {
            try stage.close()
            throw WrongUse(description: "\(setting.command.joined(separator: " ")) \(error)")
        } catch {
            try stage.close()
            if let error = error as? WrongUse { throw error }
        }
    }
}
