import ArgumentParser
import Contracts
import Domain
import FoundationEssentials
import Program

struct CatalogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "Checks, loads and shows the catalog: what is sold, and what it grants.",
        discussion: """
            Processes read the loaded catalog, never the file that people edit. A load takes effect within a second \
            or two, without a restart. It is refused where it would break what was sold: a product is retired, never \
            deleted, keeps its type, and goes on to grant each entitlement that it granted. A type that was a mistake \
            from the beginning is corrected with --correct-type.
            """,
        subcommands: [Check.self, Load.self, Show.self]
    )

    struct FileOption: ParsableArguments {
        @OptionGroup var option: HomeOption

        @Argument(help: "The catalog (default: catalog.json of the home).") var file: String?

        @Option(
            name: .customLong("correct-type"),
            help: ArgumentHelp(
                "A product whose type was a mistake; may be given several times.",
                discussion: "Until now its purchases were parked, because Apple signs another type.",
                valueName: "product"
            )
        )
        var corrected: [ProductID] = []

        var loader: CatalogLoader { CatalogLoader(home: option.home, corrected: Set(corrected)) }
        var path: String { file ?? option.home.catalogFile }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks a catalog by itself and against the loaded one, and changes nothing.",
            discussion: "Exit code 0: it can be loaded. 2: it cannot; each line says where and why."
        )

        @OptionGroup var target: FileOption

        func run() throws {
            print(try target.loader.check(target.path).text("can be loaded", same: "is loaded"))
        }
    }

    struct Load: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a catalog the loaded one, whole or not at all.",
            discussion: "Exit code 0: it is loaded. 2: it cannot be; each line says where and why."
        )

        @OptionGroup var target: FileOption

        func run() throws {
            print(try target.loader.load(target.path).text("is loaded", same: "is loaded already"))
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the loaded catalog with its version."
        )

        @OptionGroup var option: HomeOption

        @Flag(help: "Print one JSON object.")
        var json = false

        func run() throws {
            let catalog = try Catalog(loadedIn: option.home)
            guard !json else { return try Terminal.printJSON(catalog.versionedJSON) }
            print("catalog \(catalog.version)")
            guard !catalog.products.isEmpty else { return }
            let columns: [TextTable.Column<Catalog.Product>] = [
                ("PRODUCT", { $0.productId.rawValue }), ("APP", { $0.bundleId?.rawValue ?? "every" }),
                ("TYPE", \.type.rawValue), ("GRANTS", { $0.grants.map(\.text).joined(separator: ", ") }),
                ("STATE", \.stateText),
            ]
            print(TextTable(catalog.products, columns: columns).text)
        }
    }
}

extension CatalogLoader.Result {
    fileprivate func text(_ what: String, same: String) -> String {
        if isSame { return "catalog \(catalog.version) \(same)" }
        let versions = before.map { "\(catalog.version), after \($0)," } ?? catalog.version
        return (["catalog \(versions) \(what)"] + differences.map { "  \($0)" }).joined(separator: "\n")
    }
}

extension Catalog.Grant {
    fileprivate var text: String {
        [amount.map { "\($0)" }, entitlement, durationDays.map { "for \($0) days" }].compactMap(\.self)
            .joined(separator: " ")
    }
}

extension Catalog.Product {
    fileprivate var stateText: String {
        switch retired {
        case nil: "active"
        case .replacement(let product): "retired, grants what \(product) does"
        case .compensation(let grants): "retired, grants \(grants.map(\.text).joined(separator: ", "))"
        case .undecided: "retired, is parked"
        }
    }
}
